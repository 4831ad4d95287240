-- Add column webhook.filter.
alter table "webhook" add "filter" jsonb null;
