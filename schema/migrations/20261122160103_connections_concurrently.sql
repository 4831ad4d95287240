-- Create index cash_flow_statement_unsent.
-- Create index currency_unsent.
-- Create index contact_unsent.
-- Create index bill_credit_note_unsent.
-- Create index account_unsent.
-- Create index estimate_unsent.
-- Create index goods_receipt_note_unsent.
-- Create index invoice_credit_note_unsent.
-- Create index item_unsent.
-- Create index pipeline_unsent.
-- Create index purchase_order_unsent.
-- Create index tax_rate_unsent.
-- transaction: none
create index concurrently if not exists "cash_flow_statement_unsent" on "cash_flow_statement" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "currency_unsent" on "currency" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "contact_unsent" on "contact" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "bill_credit_note_unsent" on "bill_credit_note" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "account_unsent" on "account" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "estimate_unsent" on "estimate" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "goods_receipt_note_unsent" on "goods_receipt_note" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "invoice_credit_note_unsent" on "invoice_credit_note" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "item_unsent" on "item" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "pipeline_unsent" on "pipeline" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "purchase_order_unsent" on "purchase_order" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index concurrently if not exists "tax_rate_unsent" on "tax_rate" (company_id, platform_id) where source_state = 'PENDING_PUSH';
