-- Add column event.subject_id.
-- Add column event.previous_etag.
alter table "event"
  add "subject_id" text null,
  add "previous_etag" text null;
