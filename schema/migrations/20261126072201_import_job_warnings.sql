-- Add column import_job.warnings.
alter table "import_job" add "warnings" jsonb null;
