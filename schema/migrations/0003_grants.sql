-- Write transactions run as the application role; hashes of keys and the gateway's own secrets are none of their business.
do $$
  begin
    revoke all on access_key, kept_setting from ledger_gateway;
  exception
    when undefined_object then null;
  end $$;
