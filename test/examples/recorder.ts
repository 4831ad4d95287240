// Runs every operation of the gateway once over the demo data, and keeps what was sent and returned.
import type { RecordedGraphql, RecordedRest, Recordings } from '../../rest-compat/openapi/recordings.ts';
import { operationName } from '../../rest-compat/runtime/stored-operation.ts';
import { exampleOperation } from '../../site/pages/reference/example-operation.ts';
import { auditSealing } from '../../src/administration/audit-chain.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { USAGE_HEADER } from '../../src/http/usage.ts';
import { type Arguments, argumentsFor, graphqlOperations, type Operation, placesOf, restOperations } from '../suites/operations.ts';
import { isCompanion } from '../suites/places.ts';
import { restCall } from '../suites/requests.ts';
import type { Tenant } from '../suites/tenants.ts';
import { ADMIN_TOKEN, type Gateway, type GatewayResponse } from '../support/gateway.ts';
import { credentialHeader } from '../support/routes.ts';
import { steady } from './steady.ts';
import { recordStreams } from './streams.ts';
import { subjects } from './subjects.ts';
import { DemoValues } from './values.ts';

/** Reads first, and what takes something away last. */
const ORDER = [
  /^(?!(delete|remove|revoke|close|archive|fail|finish|reject|cancel|complete|approve|rotate))/,
  /^(close|archive|fail|finish|reject|cancel|complete|approve|rotate)/,
  /^(delete|remove|revoke)(?!Corporation|Company)/,
  /./,
];

const phaseOf = ({ kind, fields }: Operation): number =>
  kind === 'query' ? -1 : ORDER.findIndex((pattern) => pattern.test(fields.at(-1)!.name));

const isOperators = ({ fields }: Operation): boolean => String(fields[0]!.extensions.access) === 'ADMIN';

/** Records every operation; `rejected` names those that returned an error, which is no example. */
export async function recordAll(gateway: Gateway, tenant: Tenant): Promise<{ recordings: Recordings; refused: string[] }> {
  const { schema } = gateway.services;
  const values = new DemoValues(gateway, tenant);
  const rest = new Map<string, RecordedRest>();
  const graphql = new Map<string, RecordedGraphql>();
  const refused: string[] = [];
  // A job that runs in the meantime would change the response of the next operation.
  await gateway.stopWork();
  // Otherwise entries of the audit log are in their chain only if its schedule has run by now.
  while (await systemTransaction(gateway.services.database, (em) => auditSealing.batch(em, gateway.services))) {}
  const argumentsOf = async (operation: Operation): Promise<Arguments> => {
    const subject = subjects[operation.fields.at(-1)!.name] ?? {};
    const given = typeof subject === 'function' ? await subject({ gateway, tenant }) : subject;
    const { wanted, fill } = await values.forOperation(operation, placesOf(operation), given);
    return argumentsFor(operation, { wanted, always: isCompanion, fill });
  };
  const refuse = (title: string, response: GatewayResponse): void =>
    void refused.push(`${title}: ${response.status} ${response.text.slice(0, 300)}`);

  const overRest = async (operation: Operation): Promise<void> => {
    const route = operation.route!;
    const call = await restCall({ ...operation, route }, await argumentsOf(operation));
    if (route.ledgerQuery === 'list') call.path += '?limit=2';
    const key = isOperators(operation) ? ADMIN_TOKEN : tenant.key;
    const response = await gateway.send(call.method, call.path, {
      ...call,
      headers: { ...call.headers, ...(route.credential === 'none' ? {} : credentialHeader(route.credential, key)) },
    });
    if (response.status >= 400) return refuse(operation.title, response);
    rest.set(
      operationName(route),
      steady({
        request: { method: call.method, path: call.path, ...(call.body === undefined ? {} : { body: call.body }) },
        status: response.status,
        ...(response.body === undefined ? {} : { response: response.body as unknown }),
      }),
    );
  };

  const overGraphql = async (operation: Operation): Promise<void> => {
    const field = operation.fields[0]!;
    const given = await argumentsOf(operation);
    const variables = Object.fromEntries(Object.entries(given).map(([key, value]) => [key.slice(key.indexOf('.') + 1), value]));
    const { document } = exampleOperation(operation.kind, field, variables);
    const key = isOperators(operation) ? ADMIN_TOKEN : tenant.key;
    const response = await gateway.send('POST', '/graphql', {
      headers: { authorization: `Bearer ${key}`, [USAGE_HEADER]: '1' },
      body: { query: document, variables },
    });
    const { data, errors, extensions } = (response.body ?? {}) as {
      data?: Record<string, { errors?: unknown[] } | null>;
      errors?: unknown;
      extensions?: { usage: { cost: number } };
    };
    if (response.status >= 400 || errors || data?.[field.name] == null || (data[field.name]!.errors?.length ?? 0) > 0)
      return refuse(operation.title, response);
    graphql.set(field.name, steady({ document, variables, cost: extensions?.usage.cost ?? 0, response: { data } }));
  };

  const operations = [
    ...restOperations(schema),
    ...graphqlOperations(schema).filter(
      ({ fields, title }) => fields.length === 1 && !title.endsWith('as before') && !/^query \w+\./.test(title),
    ),
  ];
  // By their titles, because the fields of a schema are in the order in which modules were loaded.
  const inOrder = operations.sort((a, b) => phaseOf(a) - phaseOf(b) || (a.title < b.title ? -1 : 1));
  for (const operation of inOrder)
    await (operation.route ? overRest : overGraphql)(operation).catch((error: Error) => refused.push(`${operation.title}: ${error.stack}`));
  // Last, because it is unknown how many changes a stream needs until it reports one.
  const streams = await recordStreams(gateway, tenant);
  const sorted = <Value>(map: Map<string, Value>): Record<string, Value> =>
    Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { recordings: { rest: sorted(rest), graphql: sorted(new Map([...graphql, ...streams])) }, refused };
}
