-- Add column refused_record.integration_type.
alter table "refused_record" add "integration_type" text null;
