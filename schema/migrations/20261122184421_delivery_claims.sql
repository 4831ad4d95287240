-- Drop index webhook_delivery_pending.
-- Add column webhook_delivery.claimed_until.
-- destructive: drop index webhook_delivery_pending, unneeded since 0009_list_indexes: replaced by webhook_delivery_due, which serves the same statements
drop index "webhook_delivery_pending";
alter table "webhook_delivery" add "claimed_until" timestamptz(6) null;
