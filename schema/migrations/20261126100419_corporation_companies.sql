-- Create table nexus_state.
-- Add column corporation.company_ids.
create table "nexus_state" (
  "id" text not null,
  "organisation_id" bigint not null,
  "corporation_id" text not null,
  "registration_content_id" text not null,
  "jurisdiction_id" text not null,
  "state" text not null,
  "changed_at" timestamptz(6) not null,
  primary key ("id")
);
create unique index "nexus_state_key" on "nexus_state" (corporation_id, registration_content_id);
alter table "corporation" add "company_ids" jsonb null;
alter table "nexus_state" enable row level security;
create policy "tenant" on "nexus_state"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "nexus_state" add constraint "nexus_state_organisation_fkey" foreign key (organisation_id) references "organisation" (id);
