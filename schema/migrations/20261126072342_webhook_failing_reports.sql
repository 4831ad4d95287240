-- Add column webhook.failing_reported_at.
alter table "webhook" add "failing_reported_at" timestamptz(6) null;
