-- Create table bill.
-- Create table bank_transaction.
-- Create table expense.
-- Create table invoice.
-- Create table journal_entry.
-- Create table payment.
-- Create table payment_allocation.
create table "bill" (
  "company_id" bigint not null,
  "ledger_id" bigint not null,
  "organisation_id" bigint not null,
  "ledger_created_at" timestamptz(6) not null,
  "ledger_updated_at" timestamptz(6) not null,
  "ledger_integration_type" text not null,
  "platform_id" text not null,
  "ledger_deleted_at" timestamptz(6) null,
  "raw_data" jsonb null,
  "data_hash" text not null,
  "source_state" text not null default 'IN_SYNC',
  "source_error" text null,
  "source_version" jsonb null,
  "source_hash" text null,
  "document_number" text null,
  "posted_date" timestamptz(6) null,
  "due_date" timestamptz(6) null,
  "currency_id" text null,
  "currency_rate" numeric null,
  "sub_total" numeric null,
  "tax_amount" numeric null,
  "is_tax_inclusive" boolean null,
  "total_discount" numeric null,
  "shipping_amount" numeric null,
  "total_amount" numeric null,
  "amount_due" numeric null,
  "memo" text null,
  "created_at" timestamptz(6) null,
  "updated_at" timestamptz(6) null,
  "contact_id" bigint null,
  "purchase_order_ids" jsonb null,
  "status" text null,
  primary key ("company_id", "ledger_id")
);
create index "bill_updated" on "bill" (company_id, ledger_updated_at, ledger_id);
create index "bill_deleted" on "bill" (ledger_deleted_at, ledger_id) where ledger_deleted_at is not null;
create index "bill_created" on "bill" (company_id, ledger_created_at, ledger_id);
create index "bill_unsent" on "bill" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index "bill_by_purchase_order_ids" on "bill" using gin ((company_id + 0), purchase_order_ids jsonb_path_ops) where ledger_deleted_at is null;
create index "bill_by_document_number" on "bill" (company_id, document_number, ledger_id) where ledger_deleted_at is null;
create index "bill_by_posted_date" on "bill" (company_id, posted_date, ledger_id) where ledger_deleted_at is null;
create index "bill_by_due_date" on "bill" (company_id, due_date, ledger_id) where ledger_deleted_at is null;
create index "bill_by_currency_id" on "bill" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index "bill_by_total_amount" on "bill" (company_id, total_amount, ledger_id) where ledger_deleted_at is null;
create index "bill_by_amount_due" on "bill" (company_id, amount_due, ledger_id) where ledger_deleted_at is null;
create index "bill_by_created_at" on "bill" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index "bill_by_updated_at" on "bill" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index "bill_by_contact_id" on "bill" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index "bill_by_status" on "bill" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index "bill_search" on "bill" using gin ((company_id + 0), (folded_text(coalesce(document_number, '') || E'\n' || coalesce(memo, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index "bill_source_id_key" on "bill" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create table "bank_transaction" (
  "company_id" bigint not null,
  "ledger_id" bigint not null,
  "organisation_id" bigint not null,
  "ledger_created_at" timestamptz(6) not null,
  "ledger_updated_at" timestamptz(6) not null,
  "ledger_integration_type" text not null,
  "platform_id" text not null,
  "ledger_deleted_at" timestamptz(6) null,
  "raw_data" jsonb null,
  "data_hash" text not null,
  "source_state" text not null default 'IN_SYNC',
  "source_error" text null,
  "source_version" jsonb null,
  "source_hash" text null,
  "account_id" bigint null,
  "amount" numeric null,
  "currency_id" text null,
  "transaction_date" timestamptz(6) null,
  "posted_date" timestamptz(6) null,
  "description" text null,
  "reference_number" text null,
  "type" text null,
  "contact_id" bigint null,
  "status" text null,
  "created_at" timestamptz(6) null,
  "updated_at" timestamptz(6) null,
  primary key ("company_id", "ledger_id")
);
create index "bank_transaction_updated" on "bank_transaction" (company_id, ledger_updated_at, ledger_id);
create index "bank_transaction_deleted" on "bank_transaction" (ledger_deleted_at, ledger_id) where ledger_deleted_at is not null;
create index "bank_transaction_created" on "bank_transaction" (company_id, ledger_created_at, ledger_id);
create index "bank_transaction_unsent" on "bank_transaction" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index "bank_transaction_by_account_id" on "bank_transaction" (company_id, account_id, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_amount" on "bank_transaction" (company_id, amount, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_currency_id" on "bank_transaction" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_transaction_date" on "bank_transaction" (company_id, transaction_date, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_posted_date" on "bank_transaction" (company_id, posted_date, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_reference_number" on "bank_transaction" (company_id, reference_number, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_type" on "bank_transaction" (company_id, type, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_contact_id" on "bank_transaction" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_status" on "bank_transaction" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_created_at" on "bank_transaction" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_by_updated_at" on "bank_transaction" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index "bank_transaction_search" on "bank_transaction" using gin ((company_id + 0), (folded_text(coalesce(description, '') || E'\n' || coalesce(reference_number, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index "bank_transaction_source_id_key" on "bank_transaction" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create table "expense" (
  "company_id" bigint not null,
  "ledger_id" bigint not null,
  "organisation_id" bigint not null,
  "ledger_created_at" timestamptz(6) not null,
  "ledger_updated_at" timestamptz(6) not null,
  "ledger_integration_type" text not null,
  "platform_id" text not null,
  "ledger_deleted_at" timestamptz(6) null,
  "raw_data" jsonb null,
  "data_hash" text not null,
  "source_state" text not null default 'IN_SYNC',
  "source_error" text null,
  "source_version" jsonb null,
  "source_hash" text null,
  "document_number" text null,
  "account_id" bigint null,
  "contact_id" bigint null,
  "transaction_date" timestamptz(6) null,
  "currency_id" text null,
  "currency_rate" numeric null,
  "sub_total" numeric null,
  "tax_amount" numeric null,
  "is_tax_inclusive" boolean null,
  "total_amount" numeric null,
  "payment_mode" text null,
  "memo" text null,
  "created_at" timestamptz(6) null,
  "updated_at" timestamptz(6) null,
  primary key ("company_id", "ledger_id")
);
create index "expense_updated" on "expense" (company_id, ledger_updated_at, ledger_id);
create index "expense_deleted" on "expense" (ledger_deleted_at, ledger_id) where ledger_deleted_at is not null;
create index "expense_created" on "expense" (company_id, ledger_created_at, ledger_id);
create index "expense_unsent" on "expense" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index "expense_by_document_number" on "expense" (company_id, document_number, ledger_id) where ledger_deleted_at is null;
create index "expense_by_account_id" on "expense" (company_id, account_id, ledger_id) where ledger_deleted_at is null;
create index "expense_by_contact_id" on "expense" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index "expense_by_transaction_date" on "expense" (company_id, transaction_date, ledger_id) where ledger_deleted_at is null;
create index "expense_by_currency_id" on "expense" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index "expense_by_total_amount" on "expense" (company_id, total_amount, ledger_id) where ledger_deleted_at is null;
create index "expense_by_created_at" on "expense" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index "expense_by_updated_at" on "expense" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index "expense_search" on "expense" using gin ((company_id + 0), (folded_text(coalesce(document_number, '') || E'\n' || coalesce(memo, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index "expense_source_id_key" on "expense" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create table "invoice" (
  "company_id" bigint not null,
  "ledger_id" bigint not null,
  "organisation_id" bigint not null,
  "ledger_created_at" timestamptz(6) not null,
  "ledger_updated_at" timestamptz(6) not null,
  "ledger_integration_type" text not null,
  "platform_id" text not null,
  "ledger_deleted_at" timestamptz(6) null,
  "raw_data" jsonb null,
  "data_hash" text not null,
  "source_state" text not null default 'IN_SYNC',
  "source_error" text null,
  "source_version" jsonb null,
  "source_hash" text null,
  "document_number" text null,
  "posted_date" timestamptz(6) null,
  "due_date" timestamptz(6) null,
  "currency_id" text null,
  "currency_rate" numeric null,
  "sub_total" numeric null,
  "tax_amount" numeric null,
  "is_tax_inclusive" boolean null,
  "total_discount" numeric null,
  "shipping_amount" numeric null,
  "total_amount" numeric null,
  "amount_due" numeric null,
  "memo" text null,
  "created_at" timestamptz(6) null,
  "updated_at" timestamptz(6) null,
  "contact_id" bigint null,
  "issued_at" timestamptz(6) null,
  "status" text null,
  primary key ("company_id", "ledger_id")
);
create index "invoice_updated" on "invoice" (company_id, ledger_updated_at, ledger_id);
create index "invoice_deleted" on "invoice" (ledger_deleted_at, ledger_id) where ledger_deleted_at is not null;
create index "invoice_created" on "invoice" (company_id, ledger_created_at, ledger_id);
create index "invoice_unsent" on "invoice" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index "invoice_by_document_number" on "invoice" (company_id, document_number, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_posted_date" on "invoice" (company_id, posted_date, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_due_date" on "invoice" (company_id, due_date, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_currency_id" on "invoice" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_total_amount" on "invoice" (company_id, total_amount, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_amount_due" on "invoice" (company_id, amount_due, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_created_at" on "invoice" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_updated_at" on "invoice" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_contact_id" on "invoice" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_issued_at" on "invoice" (company_id, issued_at, ledger_id) where ledger_deleted_at is null;
create index "invoice_by_status" on "invoice" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index "invoice_search" on "invoice" using gin ((company_id + 0), (folded_text(coalesce(document_number, '') || E'\n' || coalesce(memo, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index "invoice_source_id_key" on "invoice" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create table "journal_entry" (
  "company_id" bigint not null,
  "ledger_id" bigint not null,
  "organisation_id" bigint not null,
  "ledger_created_at" timestamptz(6) not null,
  "ledger_updated_at" timestamptz(6) not null,
  "ledger_integration_type" text not null,
  "platform_id" text not null,
  "ledger_deleted_at" timestamptz(6) null,
  "raw_data" jsonb null,
  "data_hash" text not null,
  "source_state" text not null default 'IN_SYNC',
  "source_error" text null,
  "source_version" jsonb null,
  "source_hash" text null,
  "document_number" text null,
  "transaction_date" timestamptz(6) null,
  "currency_id" text null,
  "currency_rate" numeric null,
  "memo" text null,
  "status" text null,
  "created_at" timestamptz(6) null,
  "updated_at" timestamptz(6) null,
  primary key ("company_id", "ledger_id")
);
create index "journal_entry_updated" on "journal_entry" (company_id, ledger_updated_at, ledger_id);
create index "journal_entry_deleted" on "journal_entry" (ledger_deleted_at, ledger_id) where ledger_deleted_at is not null;
create index "journal_entry_created" on "journal_entry" (company_id, ledger_created_at, ledger_id);
create index "journal_entry_unsent" on "journal_entry" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index "journal_entry_by_document_number" on "journal_entry" (company_id, document_number, ledger_id) where ledger_deleted_at is null;
create index "journal_entry_by_transaction_date" on "journal_entry" (company_id, transaction_date, ledger_id) where ledger_deleted_at is null;
create index "journal_entry_by_currency_id" on "journal_entry" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index "journal_entry_by_status" on "journal_entry" (company_id, status, ledger_id) where ledger_deleted_at is null;
create index "journal_entry_by_created_at" on "journal_entry" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index "journal_entry_by_updated_at" on "journal_entry" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index "journal_entry_search" on "journal_entry" using gin ((company_id + 0), (folded_text(coalesce(document_number, '') || E'\n' || coalesce(memo, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index "journal_entry_source_id_key" on "journal_entry" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create table "payment" (
  "company_id" bigint not null,
  "ledger_id" bigint not null,
  "organisation_id" bigint not null,
  "ledger_created_at" timestamptz(6) not null,
  "ledger_updated_at" timestamptz(6) not null,
  "ledger_integration_type" text not null,
  "platform_id" text not null,
  "ledger_deleted_at" timestamptz(6) null,
  "raw_data" jsonb null,
  "data_hash" text not null,
  "source_state" text not null default 'IN_SYNC',
  "source_error" text null,
  "source_version" jsonb null,
  "source_hash" text null,
  "direction" text null,
  "contact_id" bigint null,
  "account_id" bigint null,
  "total_amount" numeric null,
  "currency_id" text null,
  "currency_rate" numeric null,
  "transaction_date" timestamptz(6) null,
  "reference_number" text null,
  "payment_mode" text null,
  "memo" text null,
  "created_at" timestamptz(6) null,
  "updated_at" timestamptz(6) null,
  primary key ("company_id", "ledger_id")
);
create index "payment_updated" on "payment" (company_id, ledger_updated_at, ledger_id);
create index "payment_deleted" on "payment" (ledger_deleted_at, ledger_id) where ledger_deleted_at is not null;
create index "payment_created" on "payment" (company_id, ledger_created_at, ledger_id);
create index "payment_unsent" on "payment" (company_id, platform_id) where source_state = 'PENDING_PUSH';
create index "payment_by_direction" on "payment" (company_id, direction, ledger_id) where ledger_deleted_at is null;
create index "payment_by_contact_id" on "payment" (company_id, contact_id, ledger_id) where ledger_deleted_at is null;
create index "payment_by_account_id" on "payment" (company_id, account_id, ledger_id) where ledger_deleted_at is null;
create index "payment_by_total_amount" on "payment" (company_id, total_amount, ledger_id) where ledger_deleted_at is null;
create index "payment_by_currency_id" on "payment" (company_id, currency_id, ledger_id) where ledger_deleted_at is null;
create index "payment_by_transaction_date" on "payment" (company_id, transaction_date, ledger_id) where ledger_deleted_at is null;
create index "payment_by_reference_number" on "payment" (company_id, reference_number, ledger_id) where ledger_deleted_at is null;
create index "payment_by_created_at" on "payment" (company_id, created_at, ledger_id) where ledger_deleted_at is null;
create index "payment_by_updated_at" on "payment" (company_id, updated_at, ledger_id) where ledger_deleted_at is null;
create index "payment_search" on "payment" using gin ((company_id + 0), (folded_text(coalesce(reference_number, '') || E'\n' || coalesce(memo, ''))) gin_trgm_ops) where ledger_deleted_at is null;
create unique index "payment_source_id_key" on "payment" (company_id, platform_id, ledger_integration_type) where ledger_deleted_at is null;
create table "payment_allocation" (
  "company_id" bigint not null,
  "ledger_id" bigint not null,
  "organisation_id" bigint not null,
  "ledger_created_at" timestamptz(6) not null,
  "ledger_updated_at" timestamptz(6) not null,
  "ledger_integration_type" text not null,
  "platform_id" text not null,
  "ledger_deleted_at" timestamptz(6) null,
  "raw_data" jsonb null,
  "data_hash" text not null,
  "payment_id" bigint null,
  "document_type" text null,
  "document_id" bigint null,
  "amount" numeric null,
  "allocated_at" timestamptz(6) null,
  primary key ("company_id", "ledger_id")
);
create index "payment_allocation_updated" on "payment_allocation" (company_id, ledger_updated_at, ledger_id);
create index "payment_allocation_deleted" on "payment_allocation" (ledger_deleted_at, ledger_id) where ledger_deleted_at is not null;
create index "payment_allocation_created" on "payment_allocation" (company_id, ledger_created_at, ledger_id);
create index "payment_allocation_parent" on "payment_allocation" (company_id, payment_id, ledger_id);
create index "payment_allocation_by_document_id" on "payment_allocation" (company_id, document_id, ledger_id) where ledger_deleted_at is null;
create index "payment_allocation_by_allocated_at" on "payment_allocation" (company_id, allocated_at, ledger_id) where ledger_deleted_at is null;
create unique index "payment_allocation_source_id_key" on "payment_allocation" (company_id, platform_id, ledger_integration_type, coalesce(payment_id, 0)) where ledger_deleted_at is null;
alter table "bill" enable row level security;
create policy "tenant" on "bill"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "bank_transaction" enable row level security;
create policy "tenant" on "bank_transaction"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "expense" enable row level security;
create policy "tenant" on "expense"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "invoice" enable row level security;
create policy "tenant" on "invoice"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "journal_entry" enable row level security;
create policy "tenant" on "journal_entry"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "payment" enable row level security;
create policy "tenant" on "payment"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "payment_allocation" enable row level security;
create policy "tenant" on "payment_allocation"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "invoice" add constraint "invoice_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
alter table "invoice" add constraint "invoice_contact_id_fkey" foreign key (company_id, contact_id) references "contact" (company_id, ledger_id);
alter table "bill" add constraint "bill_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
alter table "bill" add constraint "bill_contact_id_fkey" foreign key (company_id, contact_id) references "contact" (company_id, ledger_id);
alter table "payment" add constraint "payment_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
alter table "payment" add constraint "payment_contact_id_fkey" foreign key (company_id, contact_id) references "contact" (company_id, ledger_id);
alter table "payment" add constraint "payment_account_id_fkey" foreign key (company_id, account_id) references "account" (company_id, ledger_id);
alter table "payment_allocation" add constraint "payment_allocation_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
alter table "payment_allocation" add constraint "payment_allocation_payment_id_fkey" foreign key (company_id, payment_id) references "payment" (company_id, ledger_id);
alter table "journal_entry" add constraint "journal_entry_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
alter table "expense" add constraint "expense_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
alter table "expense" add constraint "expense_account_id_fkey" foreign key (company_id, account_id) references "account" (company_id, ledger_id);
alter table "expense" add constraint "expense_contact_id_fkey" foreign key (company_id, contact_id) references "contact" (company_id, ledger_id);
alter table "bank_transaction" add constraint "bank_transaction_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
alter table "bank_transaction" add constraint "bank_transaction_account_id_fkey" foreign key (company_id, account_id) references "account" (company_id, ledger_id);
alter table "bank_transaction" add constraint "bank_transaction_contact_id_fkey" foreign key (company_id, contact_id) references "contact" (company_id, ledger_id);
