-- Create index external_link_places.
-- Create index address_places.
-- Create index payment_allocation_places.
-- Create index payment_allocation_by_payment_id.
-- Create index phone_number_places.
-- Create index pipeline_stage_places.
-- Create index pipeline_stage_by_pipeline_id.
-- Create index variant_places.
-- Create index line_item_places.
-- transaction: none
create index concurrently if not exists "external_link_places" on "external_link" (company_id, parent_type, parent_id, position, ledger_id);
create index concurrently if not exists "address_places" on "address" (company_id, parent_type, parent_id, position, ledger_id);
create index concurrently if not exists "payment_allocation_places" on "payment_allocation" (company_id, payment_id, position, ledger_id);
create index concurrently if not exists "payment_allocation_by_payment_id" on "payment_allocation" (company_id, payment_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "phone_number_places" on "phone_number" (company_id, parent_type, parent_id, position, ledger_id);
create index concurrently if not exists "pipeline_stage_places" on "pipeline_stage" (company_id, pipeline_id, position, ledger_id);
create index concurrently if not exists "pipeline_stage_by_pipeline_id" on "pipeline_stage" (company_id, pipeline_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "variant_places" on "variant" (company_id, parent_type, parent_id, position, ledger_id);
create index concurrently if not exists "line_item_places" on "line_item" (company_id, parent_type, parent_id, position, ledger_id);
