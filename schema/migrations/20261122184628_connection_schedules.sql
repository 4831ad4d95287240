-- Add column connection.rhythms.
-- Add column connection.due_at.
alter table "connection"
  add "rhythms" jsonb not null default '{}',
  add "due_at" jsonb not null default '{}';
