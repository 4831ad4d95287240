alter table "operator_action" alter column "organisation_id" drop not null;
