-- Create index bill_credit_note_by_bill_ids.
-- Create index invoice_credit_note_by_invoice_ids.
-- Create index purchase_order_by_bill_ids.
-- transaction: none
create index concurrently if not exists "bill_credit_note_by_bill_ids" on "bill_credit_note" using gin ((company_id + 0), bill_ids jsonb_path_ops) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_by_invoice_ids" on "invoice_credit_note" using gin ((company_id + 0), invoice_ids jsonb_path_ops) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_by_bill_ids" on "purchase_order" using gin ((company_id + 0), bill_ids jsonb_path_ops) where ledger_deleted_at is null;
