// The text printed when the program is ready: the addresses of everything, and requests to paste.
import type { DemoKeys } from '../demo/demo.ts';

/** What the greeting shows of a start. */
export interface Start {
  origin: string;
  /** Whether links of the gateway work on this machine only. */
  linksStayHere: boolean;
  database: string;
  demo: DemoKeys | null;
  madeAdminToken: string | null;
}

const places: [label: string, path: string][] = [
  ['Start page', '/'],
  ['GraphQL and playground', '/graphql'],
  ['REST documentation', '/docs'],
  ['Platform API', '/api/v1'],
  ['Indirect tax host', '/tax/api/v1'],
  ['Address service', '/api/v1/geoencode'],
  ['Integrations API', '/v4/core'],
];

/** One request per surface, with the credential header its surface documents. */
function samples(origin: string, demo: DemoKeys): [label: string, command: string][] {
  return [
    ['Platform', `curl ${origin}/api/v1/corporations -H 'Authorization: Bearer ${demo.bearer}'`],
    ['Indirect tax', `curl ${origin}/tax/api/v1/corporations -H 'Authorization: Bearer ${demo.bearer}'`],
    ['Entities', `curl ${origin}/api/v1/public/business-entities/1/registrations -H 'x-api-key: ${demo['x-api-key']}'`],
    [
      'Address',
      `curl ${origin}/api/v1/geoencode -H 'x-service-key: ${demo['x-service-key']}' -H 'content-type: application/json' -d '{"address":"10 Downing Street, London SW1A 2AA"}'`,
    ],
    [
      'Integrations',
      `curl '${origin}/v4/core/companies/1/bill_credit_notes?limit=1&expand=contact,line_items' -H 'api_key: ${demo.api_key}'`,
    ],
    [
      'GraphQL',
      `curl ${origin}/graphql -H 'Authorization: Bearer ${demo.bearer}' -H 'content-type: application/json' -d '{"query":"{ company(id: 1) { name accounts(first: 3) { nodes { name currentBalance } } } }"}'`,
    ],
  ];
}

/** The text of the greeting. */
export function greeting({ origin, linksStayHere, database, demo, madeAdminToken }: Start): string {
  const lines = ['', `Ledger Gateway is ready, on ${database === 'pglite' ? 'the embedded database' : 'PostgreSQL'}.`, ''];
  for (const [label, path] of places) lines.push(`  ${label.padEnd(24)}${origin}${path}`);
  if (linksStayHere)
    lines.push('', `  Links start with ${origin}, which only this machine can reach; set PUBLIC_URL to the address that callers use.`);
  if (madeAdminToken) lines.push('', `  Admin token, shown only this once: ${madeAdminToken}`);
  if (demo) {
    lines.push('', 'Requests to paste, with the keys of the demo organisation:', '');
    for (const [label, command] of samples(origin, demo)) lines.push(`  # ${label}`, `  ${command}`);
  }
  lines.push('');
  return lines.join('\n');
}
