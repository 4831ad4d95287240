-- Create table refused_record.
-- Add column source_push.claimed_by.
-- Add column source_push.sent.
create table "refused_record" (
  "company_id" bigint not null,
  "data_model" text not null,
  "platform_id" text not null,
  "organisation_id" bigint not null,
  "refused_by" text not null,
  "record" jsonb not null,
  primary key ("company_id", "data_model", "platform_id")
);
alter table "source_push"
  add "claimed_by" text null,
  add "sent" jsonb not null default '[]';
alter table "refused_record" enable row level security;
create policy "tenant" on "refused_record"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "refused_record" add constraint "refused_record_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
