// Secrets the gateway makes for itself when the environment gives none: made once, kept in the database, the same in every process.
import { randomBytes } from 'node:crypto';
import { record, text } from '../records/decorators.ts';
import { hashOf } from '../security/key-values.ts';
import { type Database, executeIn } from './open.ts';
import { systemTransaction } from './transaction.ts';

@record({
  description: 'A setting the gateway made for itself.',
  scope: 'shared',
  key: 'name',
  prefix: 'setting',
  primaryKey: ['name'],
  internal: true,
  table: 'kept_setting',
})
export class StoredSetting {
  @text('Name of the setting.', { required: true }) name!: string;
  @text('Its value; secrets that are only compared are kept as a hash.', { required: true }) value!: string;
}

/** The kept value of a name; of several processes that start at once, one makes it and all use it. */
async function keep(database: Database, name: string, made: string): Promise<string> {
  const rows = await systemTransaction(database, (em) =>
    executeIn<{ value: string }>(
      em,
      'insert into kept_setting (name, value) values ($1, $2) on conflict (name) do update set value = kept_setting.value returning value',
      [name, made],
    ),
  );
  return rows[0]!.value;
}

/** The key of links and cursors: SIGNING_SECRET, or one made at the first start. */
export const signingSecret = (database: Database, given: string | undefined): Promise<string> | string =>
  given ?? keep(database, 'signing_secret', randomBytes(32).toString('base64url'));

/** Hash of the admin token; `made` is the token itself when this start made it, to be printed once. */
export async function adminToken(database: Database, given: string | undefined): Promise<{ hash: string; made: string | null }> {
  if (given) return { hash: hashOf(given), made: null };
  const token = `adm_${randomBytes(32).toString('base64url')}`;
  const hash = await keep(database, 'admin_token_hash', hashOf(token));
  return { hash, made: hash === hashOf(token) ? token : null };
}
