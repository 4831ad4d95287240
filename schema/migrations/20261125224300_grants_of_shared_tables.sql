-- These tables have no organisation, so no policy holds them: write transactions of organisations only read them.
do $$
  begin
    revoke insert, update, delete on "organisation", "registration_content_pack", "source_outage" from ledger_gateway;
  exception
    when undefined_object then null;
  end $$;
