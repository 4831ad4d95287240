-- Add column connection.calls_paced_until.
-- Add column connection.calls_paused_until.
alter table "connection"
  add "calls_paced_until" timestamptz(6) null,
  add "calls_paused_until" timestamptz(6) null;
