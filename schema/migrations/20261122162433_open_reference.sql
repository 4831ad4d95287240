-- Create table open_reference.
create table "open_reference" (
  "company_id" bigint not null,
  "record_id" bigint not null,
  "property" text not null,
  "position" integer not null,
  "organisation_id" bigint not null,
  "data_model" text not null,
  "parent_model" text null,
  "parent_id" bigint null,
  "target_model" text not null,
  "platform_id" text not null,
  "integration_type" text not null,
  "is_open" boolean not null,
  primary key ("company_id", "record_id", "property", "position")
);
create index "open_reference_target" on "open_reference" (company_id, target_model, platform_id, record_id) where is_open;
alter table "open_reference" enable row level security;
create policy "tenant" on "open_reference"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "open_reference" add constraint "open_reference_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
