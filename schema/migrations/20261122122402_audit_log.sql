-- Create table audit_chain.
-- Create table audit_entry.
create table "audit_chain" (
  "organisation_id" bigint not null,
  "start_position" bigint not null,
  "start_hash" text not null,
  "end_position" bigint not null,
  "end_hash" text not null,
  primary key ("organisation_id")
);
create table "audit_entry" (
  "id" text not null,
  "organisation_id" bigint null,
  "at" timestamptz(6) not null,
  "actor_kind" text not null,
  "actor_id" text null,
  "operation" text not null,
  "record_ids" jsonb not null,
  "record_count" integer not null,
  "before_hash" text null,
  "after_hash" text null,
  "address" text null,
  "request_id" text not null,
  "reason" text null,
  "position" bigint null,
  "hash" text null,
  primary key ("id")
);
create index "audit_entry_order" on "audit_entry" (organisation_id, id);
create index "audit_entry_unsealed" on "audit_entry" (id) where position is null;
create unique index "audit_entry_chain" on "audit_entry" (coalesce(organisation_id, 0), position) where position is not null;
alter table "audit_entry" enable row level security;
create policy "tenant" on "audit_entry"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "audit_entry" add constraint "audit_entry_organisation_fkey" foreign key (organisation_id) references organisation (id);
-- What operators did so far. The first seal takes these entries up like new ones.
insert into "audit_entry" ("id", "organisation_id", "at", "actor_kind", "actor_id", "operation", "record_ids", "record_count", "request_id", "reason")
  select "id", "organisation_id", "created_at", case when "key_id" like 'key\_%' then 'KEY' when "key_id" like 'token:%' then 'PERSON' else 'OPERATOR' end,
    "key_id", "action", jsonb_build_array("record_id"), 1, '', "reason"
  from "operator_action";
-- Write transactions only add entries.
do $$
  begin
    revoke all on "audit_chain" from ledger_gateway;
    revoke update, delete on "audit_entry" from ledger_gateway;
  exception
    when undefined_object then null;
  end $$;
