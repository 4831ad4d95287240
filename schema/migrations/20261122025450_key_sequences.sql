-- Drop default disconnect_request.ledger_id.
-- Drop default event_recording.organisation_id.
-- Drop default iso_content_version.version.
-- Set default business_entity.business_entity_id.
-- Set default acknowledgement.id.
-- Set default company.ledger_id.
-- Set default organisation.id.
-- destructive: drop default disconnect_request.ledger_id, unneeded since 0002_records: every insert gives the number
-- destructive: drop default event_recording.organisation_id, unneeded since 0002_records: it is the number of the organisation
-- destructive: drop default iso_content_version.version, unneeded since 0002_records: versions are counted
alter table "disconnect_request" alter column "ledger_id" drop default;
alter table "event_recording" alter column "organisation_id" drop default;
alter table "iso_content_version" alter column "version" drop default;
alter table "business_entity" alter column "business_entity_id" set default nextval('business_entity_id');
alter table "acknowledgement" alter column "id" set default nextval('document_id');
alter table "company" alter column "ledger_id" set default nextval('company_id');
alter table "organisation" alter column "id" set default nextval('organisation_id');
