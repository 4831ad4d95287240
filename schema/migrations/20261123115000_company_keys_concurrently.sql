-- Create index sync_key.
-- Create index sync_job_key.
-- Create index sync_chunk_key.
-- Create index inbox_file_key.
-- Create index connection_key.
-- Create index attachment_key.
-- Create index disconnect_request_key.
-- transaction: none
create unique index concurrently if not exists "sync_key" on "sync" (id, company_id);
create unique index concurrently if not exists "sync_job_key" on "sync_job" (id, company_id);
create unique index concurrently if not exists "sync_chunk_key" on "sync_chunk" (sync_id, position, company_id);
create unique index concurrently if not exists "inbox_file_key" on "inbox_file" (id, company_id);
create unique index concurrently if not exists "connection_key" on "connection" (id, company_id);
create unique index concurrently if not exists "attachment_key" on "attachment" (id, company_id);
create unique index concurrently if not exists "disconnect_request_key" on "disconnect_request" (ledger_id, ledger_company_id);
