-- Create index sync_full.
-- transaction: none
create index concurrently if not exists "sync_full" on "sync" (company_id, created_at) where full_sync;
