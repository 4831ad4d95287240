-- Create table ledger_transaction.
-- Create table posting_total.
-- Create table source_posting.
create table "ledger_transaction" (
  "company_id" bigint not null,
  "ledger_integration_type" text not null,
  "platform_id" text not null,
  "organisation_id" bigint not null,
  "source_number" text null,
  "journal" text null,
  "document_type" text null,
  "document_id" text null,
  "source_hash" text not null,
  "ledger_deleted_at" timestamptz(6) null,
  primary key ("company_id", "ledger_integration_type", "platform_id")
);
create index "ledger_transaction_deleted" on "ledger_transaction" (ledger_deleted_at, platform_id) where ledger_deleted_at is not null;
create table "posting_total" (
  "company_id" bigint not null,
  "ledger_integration_type" text not null,
  "month" date not null,
  "account_id" text not null,
  "organisation_id" bigint not null,
  "balance" numeric not null,
  primary key ("company_id", "ledger_integration_type", "month", "account_id")
);
create table "source_posting" (
  "company_id" bigint not null,
  "ledger_integration_type" text not null,
  "transaction_id" text not null,
  "place" integer not null,
  "organisation_id" bigint not null,
  "date" date not null,
  "account_id" text not null,
  "contact_id" text null,
  "amount" numeric not null,
  "currency_id" text null,
  "base_amount" numeric not null,
  "part" text null,
  "due_date" date null,
  "settled_date" date null,
  "tracking_category_ids" jsonb null,
  "description" text null,
  primary key ("company_id", "ledger_integration_type", "transaction_id", "place")
);
create index "source_posting_date" on "source_posting" (company_id, date, transaction_id, place);
create index "source_posting_account" on "source_posting" (company_id, account_id, date, transaction_id, place);
create index "source_posting_open" on "source_posting" (company_id, part, settled_date) where part is not null;
alter table "ledger_transaction" enable row level security;
create policy "tenant" on "ledger_transaction"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "posting_total" enable row level security;
create policy "tenant" on "posting_total"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "source_posting" enable row level security;
create policy "tenant" on "source_posting"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "ledger_transaction" add constraint "ledger_transaction_company_fkey" foreign key (organisation_id, company_id) references "company" (organisation_id, ledger_id);
alter table "source_posting" add constraint "source_posting_company_fkey" foreign key (organisation_id, company_id) references "company" (organisation_id, ledger_id);
alter table "posting_total" add constraint "posting_total_company_fkey" foreign key (organisation_id, company_id) references "company" (organisation_id, ledger_id);
