-- Add column company.removed_at.
alter table "company" add "removed_at" timestamptz(6) null;
