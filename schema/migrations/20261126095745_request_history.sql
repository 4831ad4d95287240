-- Create table request_part.
create table "request_part" (
  "id" text not null,
  "organisation_id" bigint not null,
  "second" timestamptz(6) not null,
  "size" integer not null,
  "uses_deprecated" boolean not null,
  "requests" text not null,
  primary key ("id")
);
create index "request_part_organisation" on "request_part" (organisation_id, second, id);
create index "request_part_second" on "request_part" (second);
alter table "request_part" enable row level security;
create policy "tenant" on "request_part"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "request_part" add constraint "request_part_organisation_fkey" foreign key (organisation_id) references "organisation" (id);
-- Compressing with the default took half of PostgreSQL's time to store them. A server can be built without lz4.
do $$
  begin
    alter table "request_part" alter column "requests" set compression lz4;
  exception when feature_not_supported then null;
  end;
  $$;
