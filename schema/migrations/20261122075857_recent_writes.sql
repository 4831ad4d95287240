-- Create table recent_write.
create table "recent_write" (
  "organisation_id" bigint not null,
  "until" timestamptz(6) not null,
  primary key ("organisation_id")
);
