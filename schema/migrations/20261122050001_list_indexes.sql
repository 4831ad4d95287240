-- Create index cash_flow_statement_by_period_start.
-- Create index cash_flow_statement_by_period_end.
-- Create index cash_flow_statement_by_updated_at.
-- Create index cash_flow_statement_source_id_key.
-- Create index currency_by_code.
-- Create index currency_by_updated_at.
-- Create index currency_source_id_key.
-- Create index contact_by_name.
-- Create index contact_by_email.
-- Create index contact_by_type.
-- Create index contact_by_status.
-- Create index contact_by_currency_id.
-- Create index contact_by_created_at.
-- Create index contact_by_updated_at.
-- Create index contact_search.
-- Create index contact_source_id_key.
-- Create index bill_credit_note_by_contact_id.
-- Create index bill_credit_note_by_document_number.
-- Create index bill_credit_note_by_total_amount.
-- Create index bill_credit_note_by_posted_date.
-- Create index bill_credit_note_by_currency_id.
-- Create index bill_credit_note_by_status.
-- Create index bill_credit_note_by_updated_at.
-- Create index bill_credit_note_search.
-- Create index bill_credit_note_source_id_key.
-- Create index address_source_id_key.
-- Create index account_by_nominal_code.
-- Create index account_by_name.
-- Create index account_by_currency_id.
-- Create index account_by_current_balance.
-- Create index account_by_status.
-- Create index account_by_category.
-- Create index account_by_parent_account_id.
-- Create index account_by_updated_at.
-- Create index account_search.
-- Create index account_source_id_key.
-- Create index estimate_by_contact_id.
-- Create index estimate_by_document_number.
-- Create index estimate_by_posted_date.
-- Create index estimate_by_status.
-- Create index estimate_by_currency_id.
-- Create index estimate_by_created_at.
-- Create index estimate_by_updated_at.
-- Create index estimate_search.
-- Create index estimate_source_id_key.
-- Create index external_link_source_id_key.
-- Create index goods_receipt_note_by_document_number.
-- Create index goods_receipt_note_by_posted_date.
-- Create index goods_receipt_note_by_delivery_date.
-- Create index goods_receipt_note_by_currency_id.
-- Create index goods_receipt_note_by_total_amount.
-- Create index goods_receipt_note_by_contact_id.
-- Create index goods_receipt_note_by_updated_at.
-- Create index goods_receipt_note_by_status.
-- Create index goods_receipt_note_search.
-- Create index goods_receipt_note_source_id_key.
-- Create index invoice_credit_note_by_contact_id.
-- Create index invoice_credit_note_by_document_number.
-- Create index invoice_credit_note_by_total_amount.
-- Create index invoice_credit_note_by_posted_date.
-- Create index invoice_credit_note_by_issued_at.
-- Create index invoice_credit_note_by_currency_id.
-- Create index invoice_credit_note_by_status.
-- Create index invoice_credit_note_by_updated_at.
-- Create index invoice_credit_note_search.
-- Create index invoice_credit_note_source_id_key.
-- Create index item_by_name.
-- Create index item_by_code.
-- Create index item_by_sku.
-- Create index item_by_price.
-- Create index item_by_currency_id.
-- Create index item_by_type.
-- Create index item_by_status.
-- Create index item_by_quantity_on_hand.
-- Create index item_by_created_at.
-- Create index item_by_updated_at.
-- Create index item_search.
-- Create index item_source_id_key.
-- Create index phone_number_source_id_key.
-- Create index pipeline_by_name.
-- Create index pipeline_by_status.
-- Create index pipeline_by_created_at.
-- Create index pipeline_by_updated_at.
-- Create index pipeline_search.
-- Create index pipeline_source_id_key.
-- Create index pipeline_stage_by_name.
-- Create index pipeline_stage_by_created_at.
-- Create index pipeline_stage_by_updated_at.
-- Create index pipeline_stage_search.
-- Create index pipeline_stage_source_id_key.
-- Create index purchase_order_by_document_number.
-- Create index purchase_order_by_posted_date.
-- Create index purchase_order_by_delivery_date.
-- Create index purchase_order_by_currency_id.
-- Create index purchase_order_by_total_amount.
-- Create index purchase_order_by_contact_id.
-- Create index purchase_order_by_updated_at.
-- Create index purchase_order_by_status.
-- Create index purchase_order_search.
-- Create index purchase_order_source_id_key.
-- Create index tax_rate_by_name.
-- Create index tax_rate_by_code.
-- Create index tax_rate_by_status.
-- Create index tax_rate_by_created_at.
-- Create index tax_rate_by_updated_at.
-- Create index tax_rate_search.
-- Create index tax_rate_source_id_key.
-- Create index variant_by_sku.
-- Create index variant_by_price.
-- Create index variant_by_currency_id.
-- Create index variant_by_status.
-- Create index variant_search.
-- Create index variant_source_id_key.
-- Create index line_item_by_item_id.
-- Create index line_item_by_tax_id.
-- Create index line_item_by_account_id.
-- Create index line_item_by_variant_id.
-- Create index line_item_by_created_at.
-- Create index line_item_by_updated_at.
-- Create index line_item_source_id_key.
-- transaction: none
create index concurrently if not exists "cash_flow_statement_by_period_start" on "cash_flow_statement" (company_id, period_start, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "cash_flow_statement_by_period_end" on "cash_flow_statement" (company_id, period_end, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "cash_flow_statement_by_updated_at" on "cash_flow_statement" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create unique index concurrently if not exists "cash_flow_statement_source_id_key" on "cash_flow_statement" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create index concurrently if not exists "currency_by_code" on "currency" (company_id, code, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "currency_by_updated_at" on "currency" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create unique index concurrently if not exists "currency_source_id_key" on "currency" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create index concurrently if not exists "contact_by_name" on "contact" (company_id, name, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "contact_by_email" on "contact" (company_id, email, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "contact_by_type" on "contact" (company_id, type, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "contact_by_status" on "contact" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "contact_by_currency_id" on "contact" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "contact_by_created_at" on "contact" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "contact_by_updated_at" on "contact" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "contact_search" on "contact" using gin ((company_id + 0), (folded_text(coalesce(name, '') || E'\n' || coalesce(contact_name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, '') || E'\n' || coalesce(tax_number, '') || E'\n' || coalesce(registration_number, '') || E'\n' || coalesce(website, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "contact_source_id_key" on "contact" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create index concurrently if not exists "bill_credit_note_by_contact_id" on "bill_credit_note" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "bill_credit_note_by_document_number" on "bill_credit_note" (company_id, document_number, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "bill_credit_note_by_total_amount" on "bill_credit_note" (company_id, total_amount, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "bill_credit_note_by_posted_date" on "bill_credit_note" (company_id, posted_date, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "bill_credit_note_by_currency_id" on "bill_credit_note" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "bill_credit_note_by_status" on "bill_credit_note" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "bill_credit_note_by_updated_at" on "bill_credit_note" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "bill_credit_note_search" on "bill_credit_note" using gin ((company_id + 0), (folded_text(coalesce(document_number, '') || E'\n' || coalesce(memo, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "bill_credit_note_source_id_key" on "bill_credit_note" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create unique index concurrently if not exists "address_source_id_key" on "address" (company_id, platform_id, ledger_integration_type, coalesce(parent_type, ''), coalesce(parent_id, 0)) where ledger_deleted_at is null;
create index concurrently if not exists "account_by_nominal_code" on "account" (company_id, nominal_code, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "account_by_name" on "account" (company_id, name, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "account_by_currency_id" on "account" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "account_by_current_balance" on "account" (company_id, current_balance, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "account_by_status" on "account" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "account_by_category" on "account" (company_id, category, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "account_by_parent_account_id" on "account" (company_id, parent_account_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "account_by_updated_at" on "account" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "account_search" on "account" using gin ((company_id + 0), (folded_text(coalesce(nominal_code, '') || E'\n' || coalesce(name, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "account_source_id_key" on "account" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create index concurrently if not exists "estimate_by_contact_id" on "estimate" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "estimate_by_document_number" on "estimate" (company_id, document_number, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "estimate_by_posted_date" on "estimate" (company_id, posted_date, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "estimate_by_status" on "estimate" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "estimate_by_currency_id" on "estimate" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "estimate_by_created_at" on "estimate" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "estimate_by_updated_at" on "estimate" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "estimate_search" on "estimate" using gin ((company_id + 0), (folded_text(coalesce(document_number, '') || E'\n' || coalesce(memo, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "estimate_source_id_key" on "estimate" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create unique index concurrently if not exists "external_link_source_id_key" on "external_link" (company_id, platform_id, ledger_integration_type, coalesce(parent_type, ''), coalesce(parent_id, 0)) where ledger_deleted_at is null;
create index concurrently if not exists "goods_receipt_note_by_document_number" on "goods_receipt_note" (company_id, document_number, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "goods_receipt_note_by_posted_date" on "goods_receipt_note" (company_id, posted_date, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "goods_receipt_note_by_delivery_date" on "goods_receipt_note" (company_id, delivery_date, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "goods_receipt_note_by_currency_id" on "goods_receipt_note" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "goods_receipt_note_by_total_amount" on "goods_receipt_note" (company_id, total_amount, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "goods_receipt_note_by_contact_id" on "goods_receipt_note" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "goods_receipt_note_by_updated_at" on "goods_receipt_note" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "goods_receipt_note_by_status" on "goods_receipt_note" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "goods_receipt_note_search" on "goods_receipt_note" using gin ((company_id + 0), (folded_text(coalesce(document_number, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "goods_receipt_note_source_id_key" on "goods_receipt_note" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_by_contact_id" on "invoice_credit_note" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_by_document_number" on "invoice_credit_note" (company_id, document_number, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_by_total_amount" on "invoice_credit_note" (company_id, total_amount, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_by_posted_date" on "invoice_credit_note" (company_id, posted_date, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_by_issued_at" on "invoice_credit_note" (company_id, issued_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_by_currency_id" on "invoice_credit_note" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_by_status" on "invoice_credit_note" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_by_updated_at" on "invoice_credit_note" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "invoice_credit_note_search" on "invoice_credit_note" using gin ((company_id + 0), (folded_text(coalesce(document_number, '') || E'\n' || coalesce(memo, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "invoice_credit_note_source_id_key" on "invoice_credit_note" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_name" on "item" (company_id, name, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_code" on "item" (company_id, code, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_sku" on "item" (company_id, sku, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_price" on "item" (company_id, price, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_currency_id" on "item" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_type" on "item" (company_id, type, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_status" on "item" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_quantity_on_hand" on "item" (company_id, quantity_on_hand, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_created_at" on "item" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_by_updated_at" on "item" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "item_search" on "item" using gin ((company_id + 0), (folded_text(coalesce(name, '') || E'\n' || coalesce(code, '') || E'\n' || coalesce(sku, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "item_source_id_key" on "item" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create unique index concurrently if not exists "phone_number_source_id_key" on "phone_number" (company_id, platform_id, ledger_integration_type, coalesce(parent_type, ''), coalesce(parent_id, 0)) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_by_name" on "pipeline" (company_id, name, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_by_status" on "pipeline" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_by_created_at" on "pipeline" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_by_updated_at" on "pipeline" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_search" on "pipeline" using gin ((company_id + 0), (folded_text(coalesce(name, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "pipeline_source_id_key" on "pipeline" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_stage_by_name" on "pipeline_stage" (company_id, name, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_stage_by_created_at" on "pipeline_stage" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_stage_by_updated_at" on "pipeline_stage" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "pipeline_stage_search" on "pipeline_stage" using gin ((company_id + 0), (folded_text(coalesce(name, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "pipeline_stage_source_id_key" on "pipeline_stage" (company_id, platform_id, ledger_integration_type, coalesce(pipeline_id, 0)) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_by_document_number" on "purchase_order" (company_id, document_number, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_by_posted_date" on "purchase_order" (company_id, posted_date, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_by_delivery_date" on "purchase_order" (company_id, delivery_date, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_by_currency_id" on "purchase_order" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_by_total_amount" on "purchase_order" (company_id, total_amount, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_by_contact_id" on "purchase_order" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_by_updated_at" on "purchase_order" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_by_status" on "purchase_order" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "purchase_order_search" on "purchase_order" using gin ((company_id + 0), (folded_text(coalesce(document_number, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "purchase_order_source_id_key" on "purchase_order" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create index concurrently if not exists "tax_rate_by_name" on "tax_rate" (company_id, name, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "tax_rate_by_code" on "tax_rate" (company_id, code, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "tax_rate_by_status" on "tax_rate" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "tax_rate_by_created_at" on "tax_rate" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "tax_rate_by_updated_at" on "tax_rate" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "tax_rate_search" on "tax_rate" using gin ((company_id + 0), (folded_text(coalesce(name, '') || E'\n' || coalesce(code, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "tax_rate_source_id_key" on "tax_rate" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create index concurrently if not exists "variant_by_sku" on "variant" (company_id, sku, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "variant_by_price" on "variant" (company_id, price, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "variant_by_currency_id" on "variant" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "variant_by_status" on "variant" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "variant_search" on "variant" using gin ((company_id + 0), (folded_text(coalesce(sku, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index concurrently if not exists "variant_source_id_key" on "variant" (company_id, platform_id, ledger_integration_type, coalesce(parent_type, ''), coalesce(parent_id, 0)) where ledger_deleted_at is null;
create index concurrently if not exists "line_item_by_item_id" on "line_item" (company_id, item_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "line_item_by_tax_id" on "line_item" (company_id, tax_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "line_item_by_account_id" on "line_item" (company_id, account_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "line_item_by_variant_id" on "line_item" (company_id, variant_id, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "line_item_by_created_at" on "line_item" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index concurrently if not exists "line_item_by_updated_at" on "line_item" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create unique index concurrently if not exists "line_item_source_id_key" on "line_item" (company_id, platform_id, ledger_integration_type, coalesce(parent_type, ''), coalesce(parent_id, 0)) where ledger_deleted_at is null;
