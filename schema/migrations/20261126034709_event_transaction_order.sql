-- Add column event.transaction_order.
alter table "event" add "transaction_order" bigint null;
