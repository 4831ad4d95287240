-- Create index corporation_by_legal_name.
-- Create index corporation_by_jurisdiction.
-- Create index corporation_by_email_alias.
-- Create index corporation_by_external_id.
-- Create index corporation_by_updated_at.
-- Create index corporation_search.
-- Create index incorporation_request_by_company_id.
-- Create index incorporation_request_by_status.
-- Create index incorporation_request_by_submitted_at.
-- Create index incorporation_request_by_business_entity_id.
-- Create index incorporation_request_by_updated_at.
-- Create index incorporation_request_search.
-- Create index product_by_name.
-- Create index product_by_sku.
-- Create index product_by_source_platform_id.
-- Create index product_by_updated_at.
-- Create index product_search.
-- Create index sync_by_status.
-- Create index webhook_delivery_by_webhook_id.
-- Create index webhook_delivery_by_status.
-- Create index webhook_delivery_by_created_at.
-- transaction: none
create index concurrently if not exists "corporation_by_legal_name" on "corporation" (organisation_id, legal_name, id) where archived_at is null;
create index concurrently if not exists "corporation_by_jurisdiction" on "corporation" (organisation_id, jurisdiction, id) where archived_at is null;
create index concurrently if not exists "corporation_by_email_alias" on "corporation" (organisation_id, email_alias, id) where archived_at is null;
create index concurrently if not exists "corporation_by_external_id" on "corporation" (organisation_id, external_id, id) where archived_at is null;
create index concurrently if not exists "corporation_by_updated_at" on "corporation" (organisation_id, updated_at, id) where archived_at is null;
create index concurrently if not exists "corporation_search" on "corporation" using gin ((organisation_id + 0), (folded_text(coalesce(legal_name, '') || E'\n' || coalesce(email_alias, '') || E'\n' || coalesce(external_id, '') || E'\n' || coalesce(contact_email, '') || E'\n' || coalesce(website, ''))) gin_trgm_ops) where archived_at is null;
create index concurrently if not exists "incorporation_request_by_company_id" on "incorporation_request" (organisation_id, company_id, id);
create index concurrently if not exists "incorporation_request_by_status" on "incorporation_request" (organisation_id, status, id);
create index concurrently if not exists "incorporation_request_by_submitted_at" on "incorporation_request" (organisation_id, submitted_at, id);
create index concurrently if not exists "incorporation_request_by_business_entity_id" on "incorporation_request" (organisation_id, business_entity_id, id);
create index concurrently if not exists "incorporation_request_by_updated_at" on "incorporation_request" (organisation_id, updated_at, id);
create index concurrently if not exists "incorporation_request_search" on "incorporation_request" using gin ((organisation_id + 0), (folded_text(coalesce(note, ''))) gin_trgm_ops);
create index concurrently if not exists "product_by_name" on "product" (corporation_id, name, id) where deleted_at is null;
create index concurrently if not exists "product_by_sku" on "product" (corporation_id, sku, id) where deleted_at is null;
create index concurrently if not exists "product_by_source_platform_id" on "product" (corporation_id, source_platform_id, id) where deleted_at is null;
create index concurrently if not exists "product_by_updated_at" on "product" (corporation_id, updated_at, id) where deleted_at is null;
create index concurrently if not exists "product_search" on "product" using gin ((corporation_id || ''), (folded_text(coalesce(name, '') || E'\n' || coalesce(sku, '') || E'\n' || coalesce(source_platform_id, ''))) gin_trgm_ops) where deleted_at is null;
create index concurrently if not exists "sync_by_status" on "sync" (company_id, status, id);
create index concurrently if not exists "webhook_delivery_by_webhook_id" on "webhook_delivery" (organisation_id, webhook_id, id);
create index concurrently if not exists "webhook_delivery_by_status" on "webhook_delivery" (organisation_id, status, id);
create index concurrently if not exists "webhook_delivery_by_created_at" on "webhook_delivery" (organisation_id, created_at, id);
