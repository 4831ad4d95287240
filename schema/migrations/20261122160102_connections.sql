-- Create table connection.
-- Create table source_push.
-- Create table sync_seen.
-- Add column company.pushed_models.
-- Add column cash_flow_statement.source_state.
-- Add column cash_flow_statement.source_error.
-- Add column cash_flow_statement.source_version.
-- Add column cash_flow_statement.source_hash.
-- Add column currency.source_state.
-- Add column currency.source_error.
-- Add column currency.source_version.
-- Add column currency.source_hash.
-- Add column contact.source_state.
-- Add column contact.source_error.
-- Add column contact.source_version.
-- Add column contact.source_hash.
-- Add column bill_credit_note.source_state.
-- Add column bill_credit_note.source_error.
-- Add column bill_credit_note.source_version.
-- Add column bill_credit_note.source_hash.
-- Add column account.source_state.
-- Add column account.source_error.
-- Add column account.source_version.
-- Add column account.source_hash.
-- Add column estimate.source_state.
-- Add column estimate.source_error.
-- Add column estimate.source_version.
-- Add column estimate.source_hash.
-- Add column goods_receipt_note.source_state.
-- Add column goods_receipt_note.source_error.
-- Add column goods_receipt_note.source_version.
-- Add column goods_receipt_note.source_hash.
-- Add column invoice_credit_note.source_state.
-- Add column invoice_credit_note.source_error.
-- Add column invoice_credit_note.source_version.
-- Add column invoice_credit_note.source_hash.
-- Add column item.source_state.
-- Add column item.source_error.
-- Add column item.source_version.
-- Add column item.source_hash.
-- Add column pipeline.source_state.
-- Add column pipeline.source_error.
-- Add column pipeline.source_version.
-- Add column pipeline.source_hash.
-- Add column purchase_order.source_state.
-- Add column purchase_order.source_error.
-- Add column purchase_order.source_version.
-- Add column purchase_order.source_hash.
-- Add column sync_job.progress.
-- Add column tax_rate.source_state.
-- Add column tax_rate.source_error.
-- Add column tax_rate.source_version.
-- Add column tax_rate.source_hash.
create table "connection" (
  "id" text not null,
  "organisation_id" bigint not null,
  "company_id" bigint not null,
  "source" text not null,
  "status" text not null,
  "status_reason" text null,
  "status_since" timestamptz(6) not null,
  "last_success_at" timestamptz(6) null,
  "next_run_at" timestamptz(6) null,
  "interval_minutes" integer not null,
  "settings" jsonb not null,
  "sealed_credentials" text null,
  "cursors" jsonb not null,
  "created_at" timestamptz(6) not null,
  "updated_at" timestamptz(6) not null,
  primary key ("id")
);
create index "connection_company" on "connection" (company_id, created_at, id);
create index "connection_due" on "connection" (next_run_at) where next_run_at is not null;
create unique index "connection_live" on "connection" (company_id) where status <> 'DISCONNECTED';
create table "source_push" (
  "company_id" bigint not null,
  "id" text not null,
  "organisation_id" bigint not null,
  "sync_id" text not null,
  "job_id" text not null,
  "data_model" text not null,
  "ledger_id" bigint not null,
  "attempts" integer not null,
  "claimed_until" timestamptz(6) null,
  primary key ("company_id", "id")
);
create index "source_push_sync" on "source_push" (company_id, sync_id);
create table "sync_seen" (
  "company_id" bigint not null,
  "job_id" text not null,
  "platform_id" text not null,
  "organisation_id" bigint not null,
  "sync_id" text not null,
  primary key ("company_id", "job_id", "platform_id")
);
alter table "company" add "pushed_models" jsonb null;
alter table "cash_flow_statement"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "currency"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "contact"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "bill_credit_note"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "account"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "estimate"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "goods_receipt_note"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "invoice_credit_note"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "item"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "pipeline"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "purchase_order"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "sync_job" add "progress" jsonb null;
alter table "tax_rate"
  add "source_state" text not null default 'IN_SYNC',
  add "source_error" text null,
  add "source_version" jsonb null,
  add "source_hash" text null;
alter table "connection" enable row level security;
create policy "tenant" on "connection"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "source_push" enable row level security;
create policy "tenant" on "source_push"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "sync_seen" enable row level security;
create policy "tenant" on "sync_seen"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "sync_seen" add constraint "sync_seen_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
alter table "source_push" add constraint "source_push_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
alter table "connection" add constraint "connection_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
