-- Create index external_link_by_position.
-- Create index address_by_position.
-- Create index payment_allocation_by_position.
-- Create index phone_number_by_position.
-- Create index pipeline_stage_by_position.
-- Create index variant_by_position.
-- Create index line_item_by_position.
-- transaction: none
create index concurrently if not exists "external_link_by_position" on "external_link" (company_id, position, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "address_by_position" on "address" (company_id, position, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "payment_allocation_by_position" on "payment_allocation" (company_id, position, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "phone_number_by_position" on "phone_number" (company_id, position, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_stage_by_position" on "pipeline_stage" (company_id, position, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "variant_by_position" on "variant" (company_id, position, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "line_item_by_position" on "line_item" (company_id, position, ledger_id) where ledger_deleted_at is null;
