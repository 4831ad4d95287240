-- Create index currency_natural_key.
-- Of several live currencies of one code in a company one is kept: the one that its source has, else the one that is to be sent to it, else the
-- first. The others are marked deleted, which is not sent to the source; records name currencies by code, so they name the kept one from then on.
-- What belongs to the others goes over to the kept one, under ids that are its own. Each statement finds nothing to do when it is repeated.
-- transaction: none
update "address" child set parent_id = twin.kept, platform_id = left(child.platform_id, 230) || '#' || child.ledger_id
  from (select company_id, ledger_id, first_value(ledger_id) over (partition by company_id, code order by source_hash is null, source_state <> 'PENDING_PUSH', ledger_id) as kept
    from "currency" where ledger_deleted_at is null) twin
  where child.company_id = twin.company_id and child.parent_type = 'CURRENCY' and child.parent_id = twin.ledger_id and twin.kept <> twin.ledger_id;
update "phone_number" child set parent_id = twin.kept, platform_id = left(child.platform_id, 230) || '#' || child.ledger_id
  from (select company_id, ledger_id, first_value(ledger_id) over (partition by company_id, code order by source_hash is null, source_state <> 'PENDING_PUSH', ledger_id) as kept
    from "currency" where ledger_deleted_at is null) twin
  where child.company_id = twin.company_id and child.parent_type = 'CURRENCY' and child.parent_id = twin.ledger_id and twin.kept <> twin.ledger_id;
update "external_link" child set parent_id = twin.kept, platform_id = left(child.platform_id, 230) || '#' || child.ledger_id
  from (select company_id, ledger_id, first_value(ledger_id) over (partition by company_id, code order by source_hash is null, source_state <> 'PENDING_PUSH', ledger_id) as kept
    from "currency" where ledger_deleted_at is null) twin
  where child.company_id = twin.company_id and child.parent_type = 'CURRENCY' and child.parent_id = twin.ledger_id and twin.kept <> twin.ledger_id;
update "currency" gone set ledger_deleted_at = greatest(now(), gone.ledger_updated_at + interval '1 millisecond'),
    ledger_updated_at = greatest(now(), gone.ledger_updated_at + interval '1 millisecond'), source_state = 'IN_SYNC', source_error = null
  from (select company_id, ledger_id, first_value(ledger_id) over (partition by company_id, code order by source_hash is null, source_state <> 'PENDING_PUSH', ledger_id) as kept
    from "currency" where ledger_deleted_at is null) twin
  where gone.company_id = twin.company_id and gone.ledger_id = twin.ledger_id and twin.kept <> twin.ledger_id;
create unique index concurrently if not exists "currency_natural_key" on "currency" (company_id, code) where ledger_deleted_at is null;
