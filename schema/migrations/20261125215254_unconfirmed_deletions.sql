-- Add column sync_seen.is_absent.
alter table "sync_seen" add "is_absent" boolean not null default false;
