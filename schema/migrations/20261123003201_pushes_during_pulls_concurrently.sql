-- Create index sync_seen_pushed.
-- transaction: none
create index concurrently if not exists "sync_seen_pushed" on "sync_seen" (company_id, job_id) where pushes > 0;
