-- Add column sync_seen.pushes.
alter table "sync_seen" add "pushes" integer not null default 0;
