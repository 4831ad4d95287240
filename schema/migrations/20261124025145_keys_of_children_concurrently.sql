-- Create index external_link_source_key.
-- Create index address_source_key.
-- Create index payment_allocation_source_key.
-- Create index phone_number_source_key.
-- Create index pipeline_stage_source_key.
-- Create index variant_source_key.
-- Create index line_item_source_key.
-- transaction: none
create unique index concurrently if not exists "external_link_source_key" on "external_link" (company_id, platform_id, ledger_integration_type, parent_type, parent_id) nulls not distinct where ledger_deleted_at is null;
create unique index concurrently if not exists "address_source_key" on "address" (company_id, platform_id, ledger_integration_type, parent_type, parent_id) nulls not distinct where ledger_deleted_at is null;
create unique index concurrently if not exists "payment_allocation_source_key" on "payment_allocation" (company_id, platform_id, ledger_integration_type, payment_id) nulls not distinct where ledger_deleted_at is null;
create unique index concurrently if not exists "phone_number_source_key" on "phone_number" (company_id, platform_id, ledger_integration_type, parent_type, parent_id) nulls not distinct where ledger_deleted_at is null;
create unique index concurrently if not exists "pipeline_stage_source_key" on "pipeline_stage" (company_id, platform_id, ledger_integration_type, pipeline_id) nulls not distinct where ledger_deleted_at is null;
create unique index concurrently if not exists "variant_source_key" on "variant" (company_id, platform_id, ledger_integration_type, parent_type, parent_id) nulls not distinct where ledger_deleted_at is null;
create unique index concurrently if not exists "line_item_source_key" on "line_item" (company_id, platform_id, ledger_integration_type, parent_type, parent_id) nulls not distinct where ledger_deleted_at is null;
