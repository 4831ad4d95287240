-- Create index sync_chunk_first.
-- transaction: none
create index concurrently if not exists "sync_chunk_first" on "sync_chunk" (organisation_id) where position = 0;
