-- Create index sync_job_unconfirmed.
-- Create index sync_seen_absent.
-- transaction: none
create index concurrently if not exists "sync_job_unconfirmed" on "sync_job" (company_id, data_model) where status = 'PENDING_CONFIRMATION';
create index concurrently if not exists "sync_seen_absent" on "sync_seen" (company_id, job_id, platform_id) where is_absent;
