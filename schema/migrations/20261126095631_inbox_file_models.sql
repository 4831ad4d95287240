-- Add column inbox_file.data_models.
-- Add column inbox_file.is_recognized.
alter table "inbox_file"
  add "data_models" jsonb null,
  add "is_recognized" boolean not null default false;
