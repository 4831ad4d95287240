-- Add column connection.link_requested_at.
-- Add column incorporation_request.draft.
-- Add column incorporation_request.link_requested_at.
alter table "connection" add "link_requested_at" timestamptz(6) null;
alter table "incorporation_request"
  add "draft" jsonb null,
  add "link_requested_at" timestamptz(6) null;
