-- Create index event_company_order.
-- transaction: none
create index concurrently if not exists "event_company_order" on "event" (organisation_id, company_id, commit_order, id);
