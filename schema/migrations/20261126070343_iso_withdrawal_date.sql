-- Add column iso_country.withdrawal_date.
-- Add column iso_subdivision.withdrawal_date.
alter table "iso_country" add "withdrawal_date" text null;
alter table "iso_subdivision" add "withdrawal_date" text null;
