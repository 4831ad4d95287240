// Builders for platform tests: keys, corporations, registrations.
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import type { Gateway, GatewayResponse } from './gateway.ts';
import { ADMIN_TOKEN } from './gateway.ts';

/** A caller of the platform API with an organisation of its own. */
export interface Caller {
  key: string;
  post(path: string, body: unknown): Promise<GatewayResponse>;
  get(path: string): Promise<GatewayResponse>;
}

/** A caller with a new organisation, or one of the organisation named. */
export async function buildCaller(gateway: Gateway, organisationName?: string): Promise<Caller> {
  const key = await gateway.key(['PLATFORM'], organisationName);
  const headers = { authorization: `Bearer ${key}` };
  return {
    key,
    post: (path, body) => gateway.send('POST', `/api/v1${path}`, { headers, body }),
    get: (path) => gateway.send('GET', `/api/v1${path}`, { headers }),
  };
}

/** Id of a new corporation of the caller. */
export async function buildCorporation(caller: Caller, fields: object = {}): Promise<string> {
  const response = await caller.post('/corporations', { legal_name: 'Acme Inc', jurisdiction: 'US', ...fields });
  if (response.status !== 200) throw new Error(response.text);
  return response.body.data.id;
}

/** The body of a registration that is accepted for any corporation. */
export const registrationBody = (corporationId: string, fields: object = {}): Record<string, unknown> => ({
  corporation_id: corporationId,
  registration_content_id: 'US_AL_RST',
  tax_types: ['RST'],
  effective_start_date: '2020-01-01',
  ...fields,
});

/** A new registration; the corporation is made unless given. */
export async function buildRegistration(
  caller: Caller,
  fields: { corporation_id?: string; [name: string]: unknown } = {},
): Promise<Record<string, string>> {
  const corporationId = fields.corporation_id ?? (await buildCorporation(caller));
  const response = await caller.post('/registrations', registrationBody(corporationId, fields));
  if (response.status !== 201) throw new Error(response.text);
  return response.body.data;
}

/** Runs an operator mutation: its name with its argument list in GraphQL, and the selection of its payload. */
export const operate = (gateway: Gateway, mutation: string, selection: string): Promise<GatewayResponse> =>
  gateway.graphql(ADMIN_TOKEN, `mutation { ${mutation} { ${selection} } }`);

/** The codes of the input issues of a platform error, by field. */
export const issuesOf = (response: GatewayResponse): Record<string, string> =>
  Object.fromEntries((response.body.error.details as { field: string; code: string }[]).map(({ field, code }) => [field, code]));

/** From now on stores the events of a key's organisation, as a stream would cause; returns a function that reads them, oldest first. */
export async function recordEvents(
  gateway: Gateway,
  key: string,
): Promise<() => Promise<{ topic: string; data: Record<string, unknown>; previousEtag: string | null }[]>> {
  const { organisationId } = (await gateway.services.keys.find(key))!;
  const { database } = gateway.services;
  await systemTransaction(database, (em) =>
    executeIn(em, `insert into event_recording (organisation_id, since, until) values ($1, now(), '2999-01-01')`, [organisationId]),
  );
  return async () => {
    const rows = await database.read(
      { name: 'events_of', text: 'select topic, data, previous_etag from event where organisation_id = $1 order by commit_order, id' },
      [String(organisationId)],
    );
    return rows.map(([topic, data, previousEtag = null]) => ({
      topic: topic!,
      data: JSON.parse(data!) as Record<string, unknown>,
      previousEtag,
    }));
  };
}
