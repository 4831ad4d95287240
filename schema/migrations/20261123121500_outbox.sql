-- Create table completed_job.
-- Create table outbox.
create sequence outbox_place;
create table "completed_job" (
  "company_id" bigint not null,
  "id" text not null,
  "completed_at" timestamptz(6) not null,
  primary key ("company_id", "id")
);
create index "completed_job_age" on "completed_job" (completed_at);
create table "outbox" (
  "company_id" bigint not null,
  "place" bigint not null default nextval('outbox_place'),
  "id" text not null,
  "kind" text not null,
  "content" jsonb not null,
  "created_at" timestamptz(6) not null,
  primary key ("company_id", "place")
);
