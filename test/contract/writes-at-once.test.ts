// Writes that commit at the same time on PostgreSQL: the locks by which one sees what the other stores. Their order is made certain.
import { beforeAll, describe, expect, it } from 'vitest';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { referencesOf } from '../../src/integrations/ledger/references.ts';
import type { RecordClass } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type GatewayResponse, serverUrl, useGateway } from '../support/gateway.ts';
import { commitTogether } from '../support/held-commits.ts';
import { buildCompany, listName, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

const send = (method: string, path: string, data?: unknown): Promise<GatewayResponse> =>
  gateway.send(method, `${company.base}/${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

/** The lists of references to records that may come later. */
const openLists = ledgerRecords.flatMap((target) =>
  referencesOf(target)
    .filter(({ prop }) => prop.mayBeOpen)
    .map(({ prop, targets }): [string, RecordClass, string, RecordClass] => [
      `${namesOf(target).one}.${prop.name}`,
      target,
      snakeCase(prop.name),
      targets()[0]!,
    ]),
);

describe.skipIf(!serverUrl)('writes at once (needs DATABASE_URL)', () => {
  describe.each(openLists)('%s', (name, target, member, named) => {
    it.each(['the list', 'the record', 'the list in an update'])(
      'is completed by a record that is written at once, %s first',
      async (first) => {
        const list = listName(target);
        const platform_id = `${name} ${first}`;
        const update = first.endsWith('update') ? (await send('POST', list, { platform_id })).body.data.data.ledger_id : undefined;
        const data = { platform_id, [member]: [`${platform_id} late`] };
        const naming = () => (update ? send('PUT', `${list}/${update}`, data) : send('POST', list, data));
        const arriving = () => send('POST', listName(named), { platform_id: `${platform_id} late` });
        await commitTogether(gateway, first === 'the record' ? [arriving, naming] : [naming, arriving]);
        const [record] = (await send('GET', `${list}?platform_id=${encodeURIComponent(platform_id)}`)).body.data;
        expect(record[member]).toEqual([expect.any(Number)]);
      },
    );
  });

  it('of base currencies, strict writes store one', async () => {
    const codes = ['NOK', 'SEK', 'DKK'];
    const made = await Promise.all(codes.map((code) => send('POST', 'currencies', { code })));
    const paths = made.map(({ body }, place) => (place === 1 ? 'currencies' : `currencies/${body.data.data.ledger_id}`));
    const write = (code: string, place: number) => () => send('PUT', `${paths[place]}?strict=true`, { code, is_base_currency: true });
    const responses = await commitTogether(gateway, codes.map(write));
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 400]);
    expect(responses[1]!.body.error.message).toContain('(rule ONE_BASE_CURRENCY)');
  });
});
