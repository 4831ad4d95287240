// Makes the model of the pages from the routes, the error list and the configuration of the running gateway.
import { type GraphQLSchema, parse, print } from 'graphql';
import type { Services } from '../../src/access/context.ts';
import type { DemoKeys } from '../../src/demo/demo.ts';
import { type ErrorCode, errorCodes } from '../../src/records/errors.ts';
import { tagOf } from '../openapi/openapi.ts';
import type { SampleRequest } from '../openapi/samples.ts';
import { sampleRequest, sampleVariables } from '../openapi/samples.ts';
import type { Credential, Route } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { statusesOf } from '../runtime/error-bodies.ts';
import { defaultProjection, storedOperation } from '../runtime/stored-operation.ts';
import { limits } from './limits.ts';
import type { ErrorEntry, OperationTwin, Credential as PageCredential, PagesModel, Surface } from './model.ts';

/** The header of a credential, with the demo key where there is one; null where no credential is needed. */
function pageCredential(name: Credential, demo: DemoKeys | null): PageCredential | null {
  if (name === 'none') return null;
  const key = demo ? { demoKey: demo[name] } : {};
  if (name === 'bearer') return { header: 'Authorization', scheme: 'Bearer', ...key };
  return { header: name, ...key };
}

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

function twin(schema: GraphQLSchema, route: Route, demo: DemoKeys | null): OperationTwin {
  const used = new Set(Object.keys(route.args).map((name) => (name.includes('.') ? name : `${route.root.split('.').at(-1)}.${name}`)));
  const stored = storedOperation(schema, route, { ...defaultProjection, unaliased: true }, used);
  return {
    id: stored.name,
    surface: route.surface,
    method: route.method,
    path: route.path,
    tag: tagOf(route),
    summary: route.summary,
    document: print(parse(stored.document)),
    variables: sampleVariables(stored.variables),
    sample: sampleRequest(route, stored.variables),
    credential: pageCredential(route.credential, demo),
  };
}

/** Sample operations; each runs unchanged with the demo keys. */
const examples: PagesModel['examples'] = [
  {
    name: 'AccountsOfACompany',
    title: 'The first accounts of a company',
    surface: 'integrations',
    document: `query AccountsOfACompany($company: PositiveInt! = 1) {
  company(id: $company) {
    name
    accounts(first: 5) {
      nodes { id nominalCode name currentBalance currencyId }
      pageInfo { hasNextPage endCursor }
      totalCount
    }
  }
}`,
    variables: {},
  },
  {
    name: 'CreditNotesWithLines',
    title: 'Credit notes with vendor and lines',
    surface: 'integrations',
    document: `query CreditNotesWithLines($company: PositiveInt! = 1) {
  company(id: $company) {
    billCreditNotes(first: 5) {
      nodes {
        documentNumber totalAmount status
        contact { name }
        lineItems { name quantity unitAmount totalAmount account { name } }
      }
    }
  }
}`,
    variables: {},
  },
  {
    name: 'CorporationOverview',
    title: 'Corporations with their tax ids',
    surface: 'platform',
    document: `query CorporationOverview {
  corporations(first: 5) {
    nodes { id legalName jurisdiction status taxIds { type value } }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
}`,
    variables: {},
  },
  {
    name: 'WhereAnAddressIs',
    title: 'Where an address is',
    surface: 'address',
    document: `query WhereAnAddressIs($address: String! = "10 Downing Street, London SW1A 2AA") {
  geocode(address: $address) {
    match confidence
    result {
      formatted
      country { alpha2 name }
      subdivision { code name }
      coordinates { latitude longitude }
    }
  }
}`,
    variables: {},
  },
];

/** The catalogue of errors with the statuses on each surface. */
const errorEntries = (): ErrorEntry[] =>
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => ({ code, ...errorCodes[code], status: statusesOf(code, routes) }));

/** The model of the pages for a running gateway. */
export function pagesModel(schema: GraphQLSchema, services: Services, demo: DemoKeys | null, version: string): PagesModel {
  const { config } = services;
  return {
    name: 'Ledger Gateway',
    tagline: 'One GraphQL schema and its REST-compatible routes for entity, tax and accounting data.',
    version,
    ...(config.publicUrl ? { origin: config.publicUrl } : {}),
    surfaces: surfaces(demo),
    operations: routes.map((route) => twin(schema, route, demo)),
    examples,
    errors: errorEntries(),
    limits: limits(config),
  };
}
