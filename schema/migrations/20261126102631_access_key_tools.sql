-- Add column access_key.tools.
alter table "access_key" add "tools" jsonb null;
