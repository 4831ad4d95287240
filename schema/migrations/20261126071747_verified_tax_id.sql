-- Create table verified_tax_id.
create table "verified_tax_id" (
  "id" text not null,
  "organisation_id" bigint not null,
  "type" text not null,
  "number" text not null,
  "state" text not null,
  "source" text not null,
  "requested_at" timestamptz(6) not null,
  "checked_at" timestamptz(6) null,
  "name" text null,
  "address" text null,
  "reference" text null,
  primary key ("id")
);
create unique index "verified_tax_id_key" on "verified_tax_id" (organisation_id, type, number);
alter table "verified_tax_id" enable row level security;
create policy "tenant" on "verified_tax_id"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "verified_tax_id" add constraint "verified_tax_id_organisation_fkey" foreign key (organisation_id) references "organisation" (id);
