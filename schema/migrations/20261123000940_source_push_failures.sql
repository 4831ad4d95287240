-- Add column source_push.failures.
alter table "source_push" add "failures" integer not null default 0;
