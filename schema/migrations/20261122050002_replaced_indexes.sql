-- Drop index cash_flow_statement_period_end.
-- Drop index cash_flow_statement_period_start.
-- Drop index cash_flow_statement_platform_id_key.
-- Drop index cash_flow_statement_updated_at.
-- Drop index currency_platform_id_key.
-- Drop index currency_updated_at.
-- Drop index contact_created_at.
-- Drop index contact_platform_id_key.
-- Drop index contact_status.
-- Drop index contact_updated_at.
-- Drop index bill_credit_note_platform_id_key.
-- Drop index bill_credit_note_posted_date.
-- Drop index bill_credit_note_status.
-- Drop index bill_credit_note_updated_at.
-- Drop index address_platform_id_key.
-- Drop index account_platform_id_key.
-- Drop index account_status.
-- Drop index account_updated_at.
-- Drop index estimate_created_at.
-- Drop index estimate_platform_id_key.
-- Drop index estimate_posted_date.
-- Drop index estimate_status.
-- Drop index estimate_updated_at.
-- Drop index external_link_platform_id_key.
-- Drop index goods_receipt_note_delivery_date.
-- Drop index goods_receipt_note_platform_id_key.
-- Drop index goods_receipt_note_posted_date.
-- Drop index goods_receipt_note_status.
-- Drop index goods_receipt_note_updated_at.
-- Drop index invoice_credit_note_issued_at.
-- Drop index invoice_credit_note_platform_id_key.
-- Drop index invoice_credit_note_posted_date.
-- Drop index invoice_credit_note_status.
-- Drop index invoice_credit_note_updated_at.
-- Drop index item_created_at.
-- Drop index item_platform_id_key.
-- Drop index item_status.
-- Drop index item_updated_at.
-- Drop index phone_number_platform_id_key.
-- Drop index pipeline_created_at.
-- Drop index pipeline_platform_id_key.
-- Drop index pipeline_status.
-- Drop index pipeline_updated_at.
-- Drop index pipeline_stage_created_at.
-- Drop index pipeline_stage_platform_id_key.
-- Drop index pipeline_stage_updated_at.
-- Drop index purchase_order_delivery_date.
-- Drop index purchase_order_platform_id_key.
-- Drop index purchase_order_posted_date.
-- Drop index purchase_order_status.
-- Drop index purchase_order_updated_at.
-- Drop index tax_rate_created_at.
-- Drop index tax_rate_platform_id_key.
-- Drop index tax_rate_status.
-- Drop index tax_rate_updated_at.
-- Drop index variant_platform_id_key.
-- Drop index variant_status.
-- Drop index line_item_created_at.
-- Drop index line_item_platform_id_key.
-- Drop index line_item_updated_at.
-- destructive: drop index cash_flow_statement_period_end, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index cash_flow_statement_period_start, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index cash_flow_statement_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index cash_flow_statement_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index currency_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index currency_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index contact_created_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index contact_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index contact_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index contact_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index bill_credit_note_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index bill_credit_note_posted_date, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index bill_credit_note_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index bill_credit_note_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index address_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index account_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index account_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index account_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index estimate_created_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index estimate_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index estimate_posted_date, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index estimate_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index estimate_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index external_link_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index goods_receipt_note_delivery_date, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index goods_receipt_note_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index goods_receipt_note_posted_date, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index goods_receipt_note_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index goods_receipt_note_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index invoice_credit_note_issued_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index invoice_credit_note_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index invoice_credit_note_posted_date, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index invoice_credit_note_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index invoice_credit_note_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index item_created_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index item_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index item_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index item_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index phone_number_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index pipeline_created_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index pipeline_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index pipeline_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index pipeline_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index pipeline_stage_created_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index pipeline_stage_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index pipeline_stage_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index purchase_order_delivery_date, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index purchase_order_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index purchase_order_posted_date, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index purchase_order_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index purchase_order_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index tax_rate_created_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index tax_rate_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index tax_rate_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index tax_rate_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index variant_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index variant_status, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index line_item_created_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index line_item_platform_id_key, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
-- destructive: drop index line_item_updated_at, unneeded since 0002_records: an index of 20261122050001_list_indexes takes its place
drop index "cash_flow_statement_period_end";
drop index "cash_flow_statement_period_start";
drop index "cash_flow_statement_platform_id_key";
drop index "cash_flow_statement_updated_at";
drop index "currency_platform_id_key";
drop index "currency_updated_at";
drop index "contact_created_at";
drop index "contact_platform_id_key";
drop index "contact_status";
drop index "contact_updated_at";
drop index "bill_credit_note_platform_id_key";
drop index "bill_credit_note_posted_date";
drop index "bill_credit_note_status";
drop index "bill_credit_note_updated_at";
drop index "address_platform_id_key";
drop index "account_platform_id_key";
drop index "account_status";
drop index "account_updated_at";
drop index "estimate_created_at";
drop index "estimate_platform_id_key";
drop index "estimate_posted_date";
drop index "estimate_status";
drop index "estimate_updated_at";
drop index "external_link_platform_id_key";
drop index "goods_receipt_note_delivery_date";
drop index "goods_receipt_note_platform_id_key";
drop index "goods_receipt_note_posted_date";
drop index "goods_receipt_note_status";
drop index "goods_receipt_note_updated_at";
drop index "invoice_credit_note_issued_at";
drop index "invoice_credit_note_platform_id_key";
drop index "invoice_credit_note_posted_date";
drop index "invoice_credit_note_status";
drop index "invoice_credit_note_updated_at";
drop index "item_created_at";
drop index "item_platform_id_key";
drop index "item_status";
drop index "item_updated_at";
drop index "phone_number_platform_id_key";
drop index "pipeline_created_at";
drop index "pipeline_platform_id_key";
drop index "pipeline_status";
drop index "pipeline_updated_at";
drop index "pipeline_stage_created_at";
drop index "pipeline_stage_platform_id_key";
drop index "pipeline_stage_updated_at";
drop index "purchase_order_delivery_date";
drop index "purchase_order_platform_id_key";
drop index "purchase_order_posted_date";
drop index "purchase_order_status";
drop index "purchase_order_updated_at";
drop index "tax_rate_created_at";
drop index "tax_rate_platform_id_key";
drop index "tax_rate_status";
drop index "tax_rate_updated_at";
drop index "variant_platform_id_key";
drop index "variant_status";
drop index "line_item_created_at";
drop index "line_item_platform_id_key";
drop index "line_item_updated_at";
