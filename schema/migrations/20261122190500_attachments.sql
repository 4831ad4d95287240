-- Create table attachment.
create table "attachment" (
  "id" text not null,
  "organisation_id" bigint not null,
  "company_id" bigint not null,
  "document_type" text not null,
  "document_id" bigint not null,
  "file_id" text not null,
  "name" text not null,
  "mime_type" text not null,
  "size" integer not null,
  "created_at" timestamptz(6) not null,
  primary key ("id")
);
create index "attachment_document" on "attachment" (company_id, document_type, document_id, id);
create index "attachment_file" on "attachment" (file_id);
create unique index "attachment_once" on "attachment" (company_id, document_type, document_id, file_id);
alter table "attachment" enable row level security;
create policy "tenant" on "attachment"
  using (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint)
  with check (organisation_id = nullif(current_setting('app.organisation', true), '')::bigint);
alter table "attachment" add constraint "attachment_company_fkey" foreign key (organisation_id, company_id) references company (organisation_id, ledger_id);
