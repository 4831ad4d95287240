-- Create index corporation_with_companies.
-- transaction: none
create index concurrently if not exists "corporation_with_companies" on "corporation" (id) where company_ids is not null and archived_at is null;
