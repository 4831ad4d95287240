-- Add column inbox_file.size.
alter table "inbox_file" add "size" integer not null default 0;
