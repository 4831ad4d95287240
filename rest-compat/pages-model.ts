// What the pages show of the running gateway, made from the rows, the error list and the configuration.
import { type GraphQLSchema, parse, print } from 'graphql';
import type { Config } from '../src/config.ts';
import type { Services } from '../src/core/context.ts';
import { type ErrorCode, errorCodes } from '../src/core/errors.ts';
import { operationLimits } from '../src/core/limits.ts';
import type { DemoKeys } from '../src/demo.ts';
import { statusOf } from './errors.ts';
import { tagOf } from './openapi.ts';
import { plainChoice, storedOperation } from './operation.ts';
import type { ErrorEntry, Limit, OperationTwin, Credential as PageCredential, PagesModel, SampleRequest, Surface } from './pages/model.ts';
import type { Credential, Row } from './row.ts';
import { rows } from './rows.ts';
import { sampleRequest, sampleVariables } from './samples.ts';

/** The header of a credential, with the demo key where there is one; null where none is asked for. */
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

function twin(schema: GraphQLSchema, row: Row, demo: DemoKeys | null): OperationTwin {
  const used = new Set(Object.keys(row.args).map((name) => (name.includes('.') ? name : `${row.root.split('.').at(-1)}.${name}`)));
  const stored = storedOperation(schema, row, { ...plainChoice, unaliased: true }, used);
  return {
    id: stored.name,
    surface: row.surface,
    method: row.method,
    path: row.path,
    tag: tagOf(row),
    summary: row.summary,
    document: print(parse(stored.document)),
    variables: sampleVariables(stored.variables),
    sample: sampleRequest(row, stored.variables),
    credential: pageCredential(row.credential, demo),
  };
}

/** One operation per surface; each runs as it stands with the demo keys. */
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
    name: 'ServiceHealth',
    title: 'Health of the service and its database',
    surface: 'address',
    document: `query ServiceHealth {
  health { status database { status kind } }
}`,
    variables: {},
  },
];

/** The catalogue of errors with the status each surface gives them. */
function errorEntries(): ErrorEntry[] {
  return (Object.keys(errorCodes) as ErrorCode[]).map((code) => {
    const { meaning, fix } = errorCodes[code];
    const statuses = (surface: Row['surface']): number =>
      statusOf(
        code,
        rows.find((row) => row.surface === surface && row.statuses?.[code] !== undefined),
      );
    return {
      code,
      meaning,
      cause: meaning,
      fix,
      status: { platform: statuses('platform'), integrations: statuses('integrations'), address: statuses('address') },
    };
  });
}

function limits(config: Config): Limit[] {
  return [
    {
      name: 'Requests per key',
      value: config.rateLimitPerMinute,
      unit: 'per minute',
      meaning: 'Refill of the allowance of a key; 0 means unlimited.',
      setting: 'RATE_LIMIT_PER_MINUTE',
    },
    {
      name: 'Burst per key',
      value: config.rateLimitBurst,
      unit: 'requests',
      meaning: 'Requests a key may send at once.',
      setting: 'RATE_LIMIT_BURST',
    },
    { name: 'Page size', value: 100, unit: 'records', meaning: 'Most records on one page of any list.' },
    {
      name: 'JSON body, integrations and ISO 3166 content',
      value: 10,
      unit: 'MB',
      meaning: 'Largest JSON body of a write of the integrations API and of an ingest.',
    },
    { name: 'JSON body, elsewhere', value: 1, unit: 'MB', meaning: 'Largest JSON body of every other operation.' },
    { name: 'GraphQL tokens', value: operationLimits.tokens, unit: 'tokens', meaning: 'Longest GraphQL document.' },
    { name: 'GraphQL depth', value: operationLimits.depth, unit: 'levels', meaning: 'Deepest selection; connections count once.' },
    {
      name: 'GraphQL aliases',
      value: operationLimits.aliases,
      unit: 'aliases',
      meaning: 'Most aliases that select a field again; aliases that only rename are free.',
    },
    { name: 'GraphQL root fields', value: operationLimits.rootFields, unit: 'fields', meaning: 'Most root fields in one operation.' },
    {
      name: 'GraphQL cost',
      value: operationLimits.cost,
      unit: 'objects',
      meaning: 'Most objects an operation may ask for; list sizes multiply.',
    },
  ];
}

/** The model of the pages for a running gateway. */
export function pagesModel(schema: GraphQLSchema, services: Services, demo: DemoKeys | null, version: string): PagesModel {
  const { config } = services;
  return {
    name: 'Ledger Gateway',
    tagline: 'One GraphQL schema and its REST-compatible routes for entity, tax and accounting data.',
    version,
    ...(config.publicUrl ? { origin: config.publicUrl } : {}),
    surfaces: surfaces(demo),
    operations: rows.map((row) => twin(schema, row, demo)),
    examples,
    errors: errorEntries(),
    limits: limits(config),
  };
}
