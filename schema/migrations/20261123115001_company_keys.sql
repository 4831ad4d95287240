-- Drop constraint sync.sync_pkey.
-- Add constraint sync.sync_pkey.
-- Drop constraint sync_job.sync_job_pkey.
-- Add constraint sync_job.sync_job_pkey.
-- Drop constraint sync_chunk.sync_chunk_pkey.
-- Add constraint sync_chunk.sync_chunk_pkey.
-- Drop constraint inbox_file.inbox_file_pkey.
-- Add constraint inbox_file.inbox_file_pkey.
-- Drop constraint connection.connection_pkey.
-- Add constraint connection.connection_pkey.
-- Drop constraint attachment.attachment_pkey.
-- Add constraint attachment.attachment_pkey.
-- Drop constraint disconnect_request.disconnect_request_pkey.
-- Add constraint disconnect_request.disconnect_request_pkey.
-- destructive: drop constraint sync.sync_pkey, unneeded since 0009_list_indexes: the key with the company begins with the same columns and serves the same statements
-- destructive: drop constraint sync_job.sync_job_pkey, unneeded since 0009_list_indexes: the key with the company begins with the same columns and serves the same statements
-- destructive: drop constraint sync_chunk.sync_chunk_pkey, unneeded since 0009_list_indexes: the key with the company begins with the same columns and serves the same statements
-- destructive: drop constraint inbox_file.inbox_file_pkey, unneeded since 0009_list_indexes: the key with the company begins with the same columns and serves the same statements
-- destructive: drop constraint connection.connection_pkey, unneeded since 0009_list_indexes: the key with the company begins with the same columns and serves the same statements
-- destructive: drop constraint attachment.attachment_pkey, unneeded since 0009_list_indexes: the key with the company begins with the same columns and serves the same statements
-- destructive: drop constraint disconnect_request.disconnect_request_pkey, unneeded since 0009_list_indexes: the key with the company begins with the same columns and serves the same statements
alter table "sync"
  drop constraint "sync_pkey",
  add constraint "sync_pkey" primary key using index "sync_key";
alter table "sync_job"
  drop constraint "sync_job_pkey",
  add constraint "sync_job_pkey" primary key using index "sync_job_key";
alter table "sync_chunk"
  drop constraint "sync_chunk_pkey",
  add constraint "sync_chunk_pkey" primary key using index "sync_chunk_key";
alter table "inbox_file"
  drop constraint "inbox_file_pkey",
  add constraint "inbox_file_pkey" primary key using index "inbox_file_key";
alter table "connection"
  drop constraint "connection_pkey",
  add constraint "connection_pkey" primary key using index "connection_key";
alter table "attachment"
  drop constraint "attachment_pkey",
  add constraint "attachment_pkey" primary key using index "attachment_key";
alter table "disconnect_request"
  drop constraint "disconnect_request_pkey",
  add constraint "disconnect_request_pkey" primary key using index "disconnect_request_key";
