// Composes the gateway, as a subgraph, with a second one that extends its records, and runs a query over both through a router.
// node check.ts, after `npm run build` at the root; it starts a gateway of its own, because the others of the tools run without FEDERATION.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeServices } from '@apollo/composition';
import { ApolloGateway, LocalGraphQLDataSource, RemoteGraphQLDataSource } from '@apollo/gateway';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { GraphQLError, parse } from 'graphql';
import { startGateway } from '../gateway.ts';

const data = mkdtempSync(join(tmpdir(), 'gateway-federation-'));
const gateway = await startGateway(data, { FEDERATION: 'true' });
const key = gateway.bearer;
const address = `${gateway.base}/graphql`;

async function ask(query: string): Promise<Record<string, unknown>> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data?: Record<string, unknown>; errors?: unknown };
  if (errors || !data) throw new GraphQLError(`the gateway returned ${response.status}: ${JSON.stringify(errors)}`);
  return data;
}

/** A subgraph of another team: notes on corporations and on companies, which it knows by their ids alone. */
const NOTES = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  type Corporation @key(fields: "id") { id: ID! notes: [String!]! }
  type Company @key(fields: "id") { id: ID! notes: [String!]! }
  type PageInfo @shareable { hasNextPage: Boolean! }
  type Query { notedCorporation(id: ID!): Corporation }
`);
const noted = { notes: ({ id }: { id: string }) => [`a note on ${id}`] };
const notes = buildSubgraphSchema({
  typeDefs: NOTES,
  resolvers: { Corporation: noted, Company: noted, Query: { notedCorporation: (_: unknown, { id }: { id: string }) => ({ id }) } },
});

const { _service } = (await ask('{ _service { sdl } }')) as { _service: { sdl: string } };
const composed = composeServices([
  { name: 'ledger', url: address, typeDefs: parse(_service.sdl) },
  { name: 'notes', url: 'local:notes', typeDefs: NOTES },
]);
if (composed.errors) {
  for (const { message } of composed.errors) console.log(message);
  await gateway.stop();
  process.exit(1);
}

class Authorised extends RemoteGraphQLDataSource {
  override willSendRequest({ request }: Parameters<NonNullable<RemoteGraphQLDataSource['willSendRequest']>>[0]): void {
    request.http?.headers.set('authorization', `Bearer ${key}`);
  }
}
const router = new ApolloGateway({
  supergraphSdl: composed.supergraphSdl,
  buildService: ({ name, url }) => (name === 'notes' ? new LocalGraphQLDataSource(notes) : new Authorised({ url: url! })),
});
const { executor } = await router.load();

async function run(query: string, variables: Record<string, unknown> = {}): Promise<Record<string, never>> {
  const document = parse(query);
  const { data, errors } = await executor({
    document,
    request: { query, variables },
    queryHash: query,
    source: query,
    operation: document.definitions[0],
    operationName: undefined,
    context: {},
    schema: router.schema,
    metrics: {},
    overallCachePolicy: {},
    logger: console,
    cache: new Map() as never,
  } as never);
  if (errors) throw new Error(JSON.stringify(errors));
  return data as Record<string, never>;
}

interface Noted {
  id: string;
  legalName: string;
  notes: string[];
}
// From the gateway to the other subgraph, by the ids of its records.
const { corporations } = (await run('{ corporations(first: 3) { nodes { id legalName notes } } }')) as unknown as {
  corporations: { nodes: Noted[] };
};
// And from the other subgraph to the gateway, by _entities.
const first = corporations.nodes[0]!;
const back = (await run('query ($id: ID!) { notedCorporation(id: $id) { notes legalName } }', { id: first.id })) as unknown as {
  notedCorporation: Noted;
};
const isRight =
  corporations.nodes.length > 0 &&
  corporations.nodes.every(({ id, notes: [note] }) => note === `a note on ${id}`) &&
  back.notedCorporation.legalName === first.legalName;
console.log(
  `${isRight ? 'composed' : 'WRONG'}: ${corporations.nodes.length} corporations of the gateway with notes of the other subgraph, and one of them back by its key`,
);
await router.stop();
await gateway.stop();
rmSync(data, { recursive: true, force: true });
process.exitCode = isRight ? 0 : 1;
