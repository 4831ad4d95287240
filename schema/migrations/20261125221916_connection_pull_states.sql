-- Add column connection.pull_states.
alter table "connection" add "pull_states" jsonb not null default '{}';
