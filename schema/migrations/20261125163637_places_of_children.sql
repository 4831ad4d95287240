-- Add column external_link.position.
-- Add column address.position.
-- Add column payment_allocation.position.
-- Add column phone_number.position.
-- Add column pipeline_stage.position.
-- Add column variant.position.
-- Add column line_item.position.
alter table "external_link" add "position" numeric not null default 0;
alter table "address" add "position" numeric not null default 0;
alter table "payment_allocation" add "position" numeric not null default 0;
alter table "phone_number" add "position" numeric not null default 0;
alter table "pipeline_stage" add "position" numeric not null default 0;
alter table "variant" add "position" numeric not null default 0;
alter table "line_item" add "position" numeric not null default 0;
