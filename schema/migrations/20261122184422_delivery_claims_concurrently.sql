-- Create index webhook_delivery_due.
-- transaction: none
create index concurrently if not exists "webhook_delivery_due" on "webhook_delivery" (webhook_id, next_attempt_at, id) where finished_at is null;
