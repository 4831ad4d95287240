-- Add column connection.link_nonce.
-- Add column connection.link_expires_at.
-- Add column connection.sealed_sign_in.
-- Add column connection.renewal_until.
alter table "connection"
  add "link_nonce" text null,
  add "link_expires_at" timestamptz(6) null,
  add "sealed_sign_in" text null,
  add "renewal_until" timestamptz(6) null;
