-- Create index inbox_file_organisation.
-- transaction: none
create index concurrently if not exists "inbox_file_organisation" on "inbox_file" (organisation_id);
