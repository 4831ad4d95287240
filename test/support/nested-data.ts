// An organisation in which every kind of record that has lists is there many times, and its records are spread over them.

import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { reverseListsOf } from '../../src/graphql/graph/reverse-lists.ts';
import { seedIntegrationsDemo } from '../../src/integrations/demo/seed.ts';
import { seedDemoEntities } from '../../src/platform/demo/entities.ts';
import { newId } from '../../src/records/ids.ts';
import { propOf } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { buildTenant, type Tenant } from '../suites/tenants.ts';
import type { Gateway } from './gateway.ts';
import { platformCaller } from './platform.ts';
import { registrationBody } from './registrations.ts';
import { endOfSync } from './syncs.ts';

/** Records of each kind, at least. */
const MANY = 8;

/** The live records of a table, numbered from 0 within their company. */
const numbered = (table: string): string =>
  `(select company_id, ledger_id, row_number() over (partition by company_id order by ledger_id) - 1 n from "${table}" where ledger_deleted_at is null)`;

/** Makes the organisation; needs a gateway that may call this machine. */
export async function buildNestedData(gateway: Gateway, name: string): Promise<Tenant> {
  const run = (text: string, values: unknown[]): Promise<Record<string, string>[]> =>
    systemTransaction(gateway.services.database, (em) => executeIn<Record<string, string>>(em, text, values));
  const tenant = await buildTenant(gateway, name);
  const headers = { api_key: tenant.key };
  const { organisationId: id } = tenant;
  // The receiver of the webhook has stopped, so nothing more is sent to it.
  await run(`update webhook set topics = '["INCORPORATION_REQUEST_FAILED"]' where organisation_id = $1 returning 1`, [id]);
  // The demo makes its company where none has its name.
  for (let n = 1; n < MANY; n++) {
    await run(`update company set name = 'Company ' || ledger_id::text where organisation_id = $1 returning 1`, [id]);
    await seedIntegrationsDemo(gateway.services, { id });
  }
  for (let n = 2; n < MANY; n += 2) await seedDemoEntities(gateway.services, { id });
  for (const { company } of await run('select ledger_id as company from company where organisation_id = $1', [id])) {
    const sync = await gateway.send('POST', `/v4/core/companies/${company}/syncs`, { headers, body: { data: {} } });
    if (sync.status < 300) await endOfSync(gateway, { headers }, sync.body.data.id);
    await gateway.send('POST', '/v4/core/disconnect-requests', { headers, body: { data: { company_id: Number(company) } } });
    const rates = new FormData();
    rates.set('data_model', 'TAX_RATE');
    rates.set('file', new Blob(['platform_id,name\nt1,VAT\n']), 'rates.csv');
    const encoded = new Response(rates);
    await gateway.send('POST', `/v4/core/companies/${company}/imports`, {
      headers: { ...headers, 'content-type': encoded.headers.get('content-type')! },
      raw: new Uint8Array(await encoded.arrayBuffer()),
    });
  }
  // Connections that have ended, so that their companies keep the inbox as their source.
  for (const { company } of await run('select ledger_id as company from company where organisation_id = $1', [id]))
    for (let n = 0; n < 2; n++)
      await run(
        `insert into connection (id, organisation_id, company_id, source, status, status_since, interval_minutes, settings, cursors, created_at, updated_at)
         values ($1, $2, $3, 'DEMO', 'DISCONNECTED', now(), 60, '{}', '{"CONTACT": 1}', now(), now()) returning 1`,
        [newId('connection'), id, company],
      );
  const platform = await platformCaller(gateway, '/api/v1', name);
  const [url] = await run('select url from webhook where organisation_id = $1', [id]);
  for (let n = 0; n < MANY; n++) {
    const corporation = await platform.corporation();
    const parts = { corporation_id: corporation };
    for (let product = 0; product < 2; product++) await platform.product(corporation);
    await platform.send('POST', '/registrations', registrationBody(corporation));
    for (let file = 0; file < 2; file++) {
      const upload = await platform.upload(`sku,name\nS-${n}-${file},Kettle\n`, { parts });
      const started = await platform.send('POST', '/products/bulk_upload/csv', {
        file_id: upload.body.data.id,
        corporation_id: corporation,
      });
      if (started.status >= 300) throw new Error(started.text);
    }
    await platform.send('POST', '/webhooks', { url: url!.url, topics: ['incorporation_request.failed'] });
  }
  const open = `select 1 from import_job where organisation_id = $1 and status in ('PENDING', 'IN_PROGRESS')`;
  while ((await run(open, [id])).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  // Each record names one of the first four of its company, so that these have several.
  const lists = ledgerRecords.flatMap(reverseListsOf);
  for (const list of lists) {
    const { source, target, from, isAmong, where } = list;
    const column = propOf(source, from).column;
    // Of records that name one of several types, each type gets its share.
    const ofSeveral = lists.filter((one) => one.where && one.source === source);
    const share = where ? ` and s.ledger_id % ${ofSeveral.length} = ${ofSeveral.indexOf(list)}` : '';
    const types = Object.entries(where ?? {}).map(([type, value]) => `, ${propOf(source, type).column} = '${value}'`);
    const named = isAmong ? `('[' || t.ledger_id::text || ']')::jsonb` : 't.ledger_id';
    await run(
      `update "${source.table}" s set ${column} = ${named}${types.join('')} from ${numbered(target.table)} t
       where t.company_id = s.company_id and t.n = s.ledger_id % 4 and s.organisation_id = $1${share} returning 1`,
      [id],
    );
  }
  await run(
    `update webhook_delivery d set webhook_id = w.id from (select id, row_number() over (order by id) n from webhook where organisation_id = $1) w
     where d.organisation_id = $1 and w.n = 1 + abs(hashtext(d.id::text)) % 4 returning 1`,
    [id],
  );
  await run(
    `insert into import_fault (job_id, "row", position, organisation_id, code, message, value)
     select id, n, 0, organisation_id, 'INVALID', 'refused', id from import_job, generate_series(2, 3) n where organisation_id = $1 returning 1`,
    [id],
  );
  // Sums that differ from their lines, which the integrity rules find, and addresses of notes, of which the demo has none.
  for (const table of ['bill_credit_note', 'purchase_order'])
    await run(`update "${table}" set total_amount = coalesce(total_amount, 0) + 1000 where organisation_id = $1 returning 1`, [id]);
  await run(
    `update address a set parent_type = 'BILL_CREDIT_NOTE', parent_id = note.ledger_id, platform_id = 'of a note ' || a.ledger_id::text
     from ${numbered('address')} moved, ${numbered('bill_credit_note')} note
     where a.organisation_id = $1 and moved.company_id = a.company_id and moved.ledger_id = a.ledger_id and a.parent_type = 'CONTACT' and moved.n % 2 = 0
       and note.company_id = a.company_id and note.n = moved.n % 4 returning 1`,
    [id],
  );
  return tenant;
}
