-- Add column webhook.company_ids.
-- Add column webhook.data_models.
alter table "webhook"
  add "company_ids" jsonb null,
  add "data_models" jsonb null;
