// Secrets that the gateway generates when the environment sets none: generated once, stored in the database, the same in every process.
import { randomBytes } from 'node:crypto';
import { record, text } from '../records/decorators.ts';
import { hashOf } from '../security/key-values.ts';
import type { Database } from './open.ts';
import { systemTransaction } from './transaction.ts';

@record({
  description: 'A setting that the gateway generated.',
  scope: 'shared',
  key: 'name',
  prefix: 'setting',
  primaryKey: ['name'],
  internal: true,
  table: 'kept_setting',
})
export class StoredSetting {
  @text('Name of the setting.', { required: true }) name!: string;
  @text('Its value; a secret that is only compared is stored as a hash.', { required: true }) value!: string;
}

/** The stored value of a name. Of several processes that start at once, one stores its value and all use that. */
function storedValue(database: Database, name: string, made: string): Promise<string> {
  return systemTransaction(database, async (em) => {
    await em.upsert(StoredSetting, { name, value: made }, { onConflictAction: 'ignore' });
    return (await em.findOneOrFail(StoredSetting, { name }, { refresh: true })).value;
  });
}

/** The key for signing links and cursors: SIGNING_SECRET, or one generated at the first start. */
export const signingSecret = (database: Database, given: string | undefined): Promise<string> | string =>
  given ?? storedValue(database, 'signing_secret', randomBytes(32).toString('base64url'));

/** Hash of the admin token; `made` is the token itself when this start generated it, to be printed once. */
export async function adminToken(database: Database, given: string | undefined): Promise<{ hash: string; made: string | null }> {
  if (given) return { hash: hashOf(given), made: null };
  const token = `adm_${randomBytes(32).toString('base64url')}`;
  const hash = await storedValue(database, 'admin_token_hash', hashOf(token));
  return { hash, made: hash === hashOf(token) ? token : null };
}
