create index "webhook_delivery_pending" on "webhook_delivery" (webhook_id) where finished_at is null;
