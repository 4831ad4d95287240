-- Create table source_outage.
create table "source_outage" (
  "source" text not null,
  "address" text not null,
  "failures" integer not null,
  "connections" jsonb not null,
  "until" timestamptz(6) not null,
  "failed_at" timestamptz(6) not null,
  primary key ("source", "address")
);
