-- Create table national_tariff.
-- Create table national_tariff_line.
create table "national_tariff" (
  "country" text not null,
  "valid_from" date not null,
  "valid_to" date null,
  "source" text not null,
  "codes" integer not null,
  "imported_at" timestamptz(6) not null,
  primary key ("country", "valid_from")
);
create table "national_tariff_line" (
  "country" text not null,
  "valid_from" date not null,
  "code" text not null,
  "parent" text not null,
  "description" text not null,
  primary key ("country", "valid_from", "code")
);
create index "national_tariff_line_parent" on "national_tariff_line" (country, valid_from, parent, code);
