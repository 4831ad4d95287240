-- Numbers and the role that row-level security applies to; everything the record declarations cannot say.
create sequence organisation_id;
create sequence company_id;
create sequence business_entity_id;
create sequence document_id;
create sequence ledger_id_block increment by 32 minvalue 32 start with 32;
do $$
  begin
    create role ledger_gateway nologin;
  exception
    when duplicate_object or unique_violation then null;
    when insufficient_privilege then raise notice 'role ledger_gateway cannot be created; row-level security stays off';
  end $$;
do $$
  begin
    execute format('grant ledger_gateway to %I', current_user);
    grant usage on schema public to ledger_gateway;
    alter default privileges in schema public grant select, insert, update, delete on tables to ledger_gateway;
    alter default privileges in schema public grant usage on sequences to ledger_gateway;
    grant usage on all sequences in schema public to ledger_gateway;
  exception
    when undefined_object or insufficient_privilege then raise notice 'role ledger_gateway cannot be granted; row-level security stays off';
  end $$;
