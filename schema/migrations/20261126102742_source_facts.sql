-- Add column cash_flow_statement.source_status.
-- Add column cash_flow_statement.custom_fields.
-- Add column connection.keeps_raw_data.
-- Add column connection.custom_field_rules.
-- Add column currency.source_status.
-- Add column currency.custom_fields.
-- Add column contact.source_status.
-- Add column contact.custom_fields.
-- Add column bill_credit_note.source_status.
-- Add column bill_credit_note.custom_fields.
-- Add column bill.source_status.
-- Add column bill.custom_fields.
-- Add column account.source_status.
-- Add column account.custom_fields.
-- Add column bank_transaction.source_status.
-- Add column bank_transaction.custom_fields.
-- Add column estimate.source_status.
-- Add column estimate.custom_fields.
-- Add column expense.source_status.
-- Add column expense.custom_fields.
-- Add column external_link.source_status.
-- Add column external_link.custom_fields.
-- Add column goods_receipt_note.source_status.
-- Add column goods_receipt_note.custom_fields.
-- Add column invoice.source_status.
-- Add column invoice.custom_fields.
-- Add column address.source_status.
-- Add column address.custom_fields.
-- Add column invoice_credit_note.source_status.
-- Add column invoice_credit_note.custom_fields.
-- Add column item.source_status.
-- Add column item.custom_fields.
-- Add column journal_entry.source_status.
-- Add column journal_entry.custom_fields.
-- Add column payment.source_status.
-- Add column payment.custom_fields.
-- Add column payment_allocation.source_status.
-- Add column payment_allocation.custom_fields.
-- Add column phone_number.source_status.
-- Add column phone_number.custom_fields.
-- Add column pipeline.source_status.
-- Add column pipeline.custom_fields.
-- Add column pipeline_stage.source_status.
-- Add column pipeline_stage.custom_fields.
-- Add column purchase_order.source_status.
-- Add column purchase_order.custom_fields.
-- Add column tax_rate.source_status.
-- Add column tax_rate.custom_fields.
-- Add column variant.source_status.
-- Add column variant.custom_fields.
-- Add column line_item.source_status.
-- Add column line_item.custom_fields.
alter table "cash_flow_statement"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "connection"
  add "keeps_raw_data" boolean not null default false,
  add "custom_field_rules" jsonb not null default '[]';
alter table "currency"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "contact"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "bill_credit_note"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "bill"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "account"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "bank_transaction"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "estimate"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "expense"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "external_link"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "goods_receipt_note"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "invoice"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "address"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "invoice_credit_note"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "item"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "journal_entry"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "payment"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "payment_allocation"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "phone_number"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "pipeline"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "pipeline_stage"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "purchase_order"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "tax_rate"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "variant"
  add "source_status" text null,
  add "custom_fields" jsonb null;
alter table "line_item"
  add "source_status" text null,
  add "custom_fields" jsonb null;
