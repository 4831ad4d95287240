-- Create index business_entity_list.
-- Create index disconnect_request_company.
-- Create index goods_receipt_note_by_purchase_order_ids.
-- Create index stored_file_list.
-- Create index stored_file_corporation.
-- Create index import_job_list.
-- Create index import_job_corporation.
-- Create index import_job_file.
-- Create index webhook_delivery_list.
-- Create index company_by_name.
-- Create index company_by_integration_type.
-- Create index company_by_connection_status.
-- Create index company_by_ledger_created_at.
-- Create index company_by_ledger_updated_at.
-- Create index company_search.
-- transaction: none
create index concurrently if not exists "company_by_name" on "company" (organisation_id, name, ledger_id) where removed_at is null;
create index concurrently if not exists "company_by_integration_type" on "company" (organisation_id, integration_type, ledger_id) where removed_at is null;
create index concurrently if not exists "company_by_connection_status" on "company" (organisation_id, connection_status, ledger_id) where removed_at is null;
create index concurrently if not exists "company_by_ledger_created_at" on "company" (organisation_id, ledger_created_at, ledger_id) where removed_at is null;
create index concurrently if not exists "company_by_ledger_updated_at" on "company" (organisation_id, ledger_updated_at, ledger_id) where removed_at is null;
create index concurrently if not exists "company_search" on "company" using gin ((organisation_id + 0), (folded_text(coalesce(name, ''))) gin_trgm_ops) where removed_at is null;
create index concurrently if not exists "business_entity_list" on "business_entity" (organisation_id, created_at, business_entity_id);
create index concurrently if not exists "disconnect_request_company" on "disconnect_request" (ledger_company_id, ledger_id);
create index concurrently if not exists "goods_receipt_note_by_purchase_order_ids" on "goods_receipt_note" using gin ((company_id + 0), purchase_order_ids jsonb_path_ops) where ledger_deleted_at is null;
create index concurrently if not exists "stored_file_list" on "stored_file" (organisation_id, created_at, id);
create index concurrently if not exists "stored_file_corporation" on "stored_file" (corporation_id, created_at, id);
create index concurrently if not exists "import_job_list" on "import_job" (organisation_id, created_at, id);
create index concurrently if not exists "import_job_corporation" on "import_job" (corporation_id, created_at, id);
create index concurrently if not exists "import_job_file" on "import_job" (file_id, id);
create index concurrently if not exists "webhook_delivery_list" on "webhook_delivery" (organisation_id, id);
