// Makes the model of the pages from the routes, the error list and the configuration of the running gateway.
import { type GraphQLSchema, parse, print } from 'graphql';
import { exampleBody, graphqlExampleBody } from '../../rest-compat/openapi/error-responses.ts';
import { tagOf } from '../../rest-compat/openapi/operation.ts';
import { type Recordings, readRecordings } from '../../rest-compat/openapi/recordings.ts';
import type { SampleRequest } from '../../rest-compat/openapi/samples.ts';
import { sampleRequest, sampleVariables } from '../../rest-compat/openapi/samples.ts';
import type { Credential, Surface as RestSurface, Route } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { statusesOf } from '../../rest-compat/runtime/error-bodies.ts';
import { defaultProjection, operationName, storedOperation } from '../../rest-compat/runtime/stored-operation.ts';
import type { Services } from '../../src/access/context.ts';
import type { DemoKeys } from '../../src/demo/demo.ts';
import { type ErrorCode, errorCodes } from '../../src/records/errors.ts';
import { examples } from './examples.ts';
import { limits } from './limits.ts';
import type { ErrorEntry, OperationCounterpart, Credential as PageCredential, PagesModel, Surface } from './parts/model.ts';
import { pictured } from './reference/pictured-types.ts';
import { RestOperations } from './reference/rest-reference.ts';
import { SchemaReference } from './reference/schema-reference.ts';

/** The header of a credential, with the demo key where there is one; null where no credential is needed. */
function pageCredential(name: Credential, demo: DemoKeys | null): PageCredential | null {
  if (name === 'none') return null;
  const key = demo ? { demoKey: demo[name] } : {};
  if (name === 'bearer') return { header: 'Authorization', scheme: 'Bearer', ...key };
  return { header: name, ...key };
}

/** What the pages call the gateway. */
export const NAME = 'Ledger Gateway';

const graphqlSample = { query: '{ companies { nodes { ledgerId name } } }' };

function surfaces(demo: DemoKeys | null): Surface[] {
  const card = (
    id: string,
    name: string,
    purpose: string,
    base: string,
    credential: Exclude<Credential, 'none'>,
    openapi: string | undefined,
    sample: SampleRequest,
  ): Surface => ({
    id,
    name,
    purpose,
    base,
    credential: pageCredential(credential, demo)!,
    ...(openapi ? { openapi } : {}),
    sample,
  });
  return [
    card('graphql', 'GraphQL', 'One schema over everything the gateway holds.', '/graphql', 'bearer', undefined, {
      method: 'POST',
      path: '/graphql',
      body: graphqlSample,
    }),
    card(
      'platform',
      'Platform API',
      'Corporations, products, registrations, incorporation requests and webhooks.',
      '/api/v1',
      'bearer',
      'platform',
      { method: 'GET', path: '/api/v1/corporations' },
    ),
    card('tax', 'Indirect tax host', 'The platform operations that concern indirect tax.', '/tax/api/v1', 'bearer', 'platform', {
      method: 'GET',
      path: '/tax/api/v1/corporations',
    }),
    card('address', 'Address service', 'Geocoding and ISO 3166 content.', '/api/v1', 'x-service-key', 'address', {
      method: 'POST',
      path: '/api/v1/geoencode',
      body: { address: '10 Downing Street, London SW1A 2AA' },
    }),
    card('integrations', 'Integrations API', 'Accounting and commerce records per company.', '/v4/core', 'api_key', 'integrations', {
      method: 'GET',
      path: '/v4/core/companies/1/accounts?limit=3',
    }),
  ];
}

function counterpart(schema: GraphQLSchema, route: Route, demo: DemoKeys | null): OperationCounterpart {
  const write = (): Pick<OperationCounterpart, 'document' | 'variables' | 'sample'> => {
    const used = new Set(Object.keys(route.args).map((name) => (name.includes('.') ? name : `${route.root.split('.').at(-1)}.${name}`)));
    const { document, variables, sent } = storedOperation(schema, route, { ...defaultProjection, unaliased: true }, used);
    return { document: print(parse(document)), variables: sampleVariables(variables), sample: sampleRequest(route, sent) };
  };
  // Written when it is first shown: all of them took a tenth of the CPU of a start.
  let written: ReturnType<typeof write> | undefined;
  const shown = () => (written ??= write());
  return {
    id: operationName(route),
    surface: route.surface,
    method: route.method,
    path: route.path,
    tag: tagOf(route),
    summary: route.summary,
    get document() {
      return shown().document;
    },
    get variables() {
      return shown().variables;
    },
    get sample() {
      return shown().sample;
    },
    credential: pageCredential(route.credential, demo),
  };
}

/** The body with an error on each surface that returns it. */
const errorBodiesOf = (code: ErrorCode, status: Record<string, readonly number[]>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(status).map(([surface, [first = 0]]) => [
      surface,
      surface === 'graphql' ? graphqlExampleBody(code) : exampleBody(surface as RestSurface, code, first),
    ]),
  );

/** The catalogue of errors with the statuses on each surface. */
const errorEntries = (): ErrorEntry[] =>
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => {
    const { meaning, cause, fix } = errorCodes[code];
    const status = statusesOf(code, routes);
    return { code, meaning, cause, fix, status, bodies: errorBodiesOf(code, status) };
  });

/** The model of the pages for a running gateway. */
export function pagesModel(schema: GraphQLSchema, services: Services, demo: DemoKeys | null, version: string): PagesModel {
  const { config } = services;
  const operations = routes.map((route) => counterpart(schema, route, demo));
  const counterpartsOf = (field: string): OperationCounterpart[] => operations.filter((_, index) => routes[index]!.root === field);
  // Read with the first page that shows one.
  let read: Recordings | undefined;
  const recordings = (): Recordings => (read ??= readRecordings());
  return {
    name: NAME,
    tagline: 'One GraphQL schema and its REST-compatible routes for entity, tax and accounting data.',
    version,
    ...(config.publicUrl ? { origin: config.publicUrl } : {}),
    surfaces: surfaces(demo),
    operations,
    examples,
    reference: new SchemaReference(schema, counterpartsOf, recordings),
    rest: new RestOperations(schema, recordings, operations),
    pictured: pictured(schema),
    errors: errorEntries(),
    limits: limits(config),
  };
}
