-- Create index audit_entry_organisation_time.
-- Create index audit_entry_time.
-- Drop index audit_entry_order.
-- transaction: none
-- destructive: drop index audit_entry_order, unneeded since 20261122122402_audit_log: the lists of the last release read the primary key instead
create index concurrently if not exists "audit_entry_organisation_time" on "audit_entry" (organisation_id, at);
create index concurrently if not exists "audit_entry_time" on "audit_entry" (at);
drop index concurrently if exists "audit_entry_order";
