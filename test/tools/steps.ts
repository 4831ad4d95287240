// The tools and their commands. The steps of one folder run in order, the folders in parallel.
import { join } from 'node:path';
import type { Target } from './gateway.ts';

const root = join(import.meta.dirname, '../..');
const surfaces = ['platform', 'address', 'integrations'];
const openapi = surfaces.map((name) => join(root, `schema/openapi/${name}.json`));
const openapi30 = (base: string): string[] => surfaces.map((name) => `${base}/openapi/${name}-3.0.json`);

export interface Step {
  name: string;
  /** Command line; `exchanges` is the directory of recorded REST calls. */
  command: (target: Target, exchanges: string) => string[];
}

export interface Folder {
  path: string;
  /** Whether its packages come from a lock file of its own. */
  installs: boolean;
  steps: Step[];
  /** The heavy proof that these steps are (test/proof/parts.ts), which runs them by this name when a file that it covers has changed. Absent: they always run. */
  proof?: string;
}

// The REST contract of every surface; all tests would record more of the same and take longer.
const CONTRACT_TESTS = [
  'test/contract/access.test.ts',
  'test/contract/http.test.ts',
  'test/contract/parity.test.ts',
  'test/platform/contract.test.ts',
  'test/integrations/documented.test.ts',
  'test/integrations/lists.test.ts',
  'test/address/service.test.ts',
  'test/events/webhooks.test.ts',
];

/** Records the REST calls of the contract tests, for runs without a given recording. */
export const recording: Folder = {
  path: '.',
  installs: false,
  steps: [{ name: 'Contract tests, recorded', command: () => ['npx', 'vitest', 'run', '--reporter=dot', ...CONTRACT_TESTS] }],
};

/** Longest first, so that no long one starts last. */
export const folders: Folder[] = [
  {
    path: 'test/tools/openapi',
    installs: true,
    steps: [{ name: 'Prism', command: (_target, exchanges) => ['node', 'prism.ts', exchanges, ...openapi] }],
  },
  {
    path: 'test/tools/openapi',
    installs: true,
    proof: 'openapi',
    steps: [
      { name: 'Spectral', command: () => ['npx', 'spectral', 'lint', '--fail-severity=hint', ...openapi] },
      { name: 'Redocly', command: () => ['node', 'redocly.ts', ...openapi] },
      { name: 'Spectral, OpenAPI 3.0', command: ({ base }) => ['npx', 'spectral', 'lint', '--fail-severity=hint', ...openapi30(base)] },
      { name: 'Redocly, OpenAPI 3.0', command: ({ base }) => ['node', 'redocly.ts', ...openapi30(base)] },
    ],
  },
  {
    path: 'test/tools/openapi',
    installs: true,
    proof: 'xero',
    steps: [
      { name: 'Connector to Xero', command: () => ['node', 'xero.ts'] },
      { name: 'Fields of Xero', command: () => ['node', 'xero-fields.ts'] },
    ],
  },
  {
    path: 'test/tools/browser',
    installs: true,
    proof: 'browser',
    steps: [
      { name: 'Pages in Chromium', command: ({ base, apiKey }) => ['node', 'check.ts', base, apiKey] },
      { name: 'Tasks on the playground', command: ({ base }) => ['node', 'tasks.ts', base] },
      { name: 'The first invoice, by clicks', command: () => ['node', 'first-invoice.ts'] },
      { name: 'Applications in Chromium', command: () => ['node', 'apps.ts'] },
      { name: 'Figures on a slow connection', command: ({ base }) => ['node', 'figures.ts', base] },
      { name: 'Tasks of a newcomer', command: ({ base }) => ['node', 'visitor.ts', base] },
    ],
  },
  {
    path: '.',
    installs: false,
    steps: [{ name: 'Recipes of CONTRIBUTING.md', command: () => ['node', 'test/tools/recipes/run.ts', '--edits'] }],
  },
  {
    path: 'test/clients',
    installs: true,
    steps: [
      { name: 'Client types', command: () => ['npm', 'run', '--silent', 'generate'] },
      { name: 'Client type check', command: () => ['npm', 'run', '--silent', 'types'] },
      { name: 'Clients', command: ({ base, bearer, apiKey }) => ['node', 'run.ts', base, bearer, apiKey] },
      { name: 'Client in Perl', command: ({ base, bearer, apiKey }) => ['perl', 'perl/client.pl', base, bearer, apiKey] },
    ],
  },
  {
    path: 'site/apps/app',
    installs: true,
    steps: [
      { name: 'Types of the applications', command: () => ['npm', 'run', '--silent', 'generate', '--', '--check'] },
      { name: 'Type check of the applications', command: () => ['npm', 'run', '--silent', 'types'] },
    ],
  },
  {
    path: 'test/tools/random-queries',
    installs: true,
    steps: [{ name: 'Random queries', command: ({ base }) => ['node', 'check.ts', base, '--rounds', '250', '--seed', '1'] }],
  },
  {
    path: 'test/tools/schema-checks',
    installs: true,
    steps: [
      { name: 'Relay compiler', command: () => ['npx', 'relay-compiler'] },
      { name: 'Breaking changes', command: () => ['node', 'breaking.ts'] },
    ],
  },
  {
    path: 'test/tools/federation',
    installs: true,
    steps: [{ name: 'Federation with a second subgraph', command: () => ['node', 'check.ts'] }],
  },
  {
    path: 'test/tools/identity',
    installs: true,
    steps: [{ name: 'Sign-in at an OpenID provider', command: () => ['node', 'check.ts'] }],
  },
  {
    path: 'test/tools/deploy',
    installs: true,
    steps: [
      { name: 'Files of deploy/', command: () => ['node', 'check.ts'] },
      { name: 'Alerts of an incident', command: () => ['node', 'incident.ts'] },
    ],
  },
  {
    path: 'test/tools/patterns',
    installs: true,
    steps: [{ name: 'Regular expressions', command: () => ['node', 'check.ts'] }],
  },
  {
    path: 'test/tools/agents',
    installs: true,
    steps: [{ name: 'Agents by conformance suite and inspector', command: ({ base, bearer }) => ['node', 'check.ts', base, bearer] }],
  },
  {
    path: 'test/tools/markdown',
    installs: true,
    steps: [{ name: 'Markdown of documents and pages', command: ({ base }) => ['node', 'check.ts', base] }],
  },
  {
    path: 'test/tools/graphql-http',
    installs: true,
    steps: [{ name: 'GraphQL over HTTP audit', command: ({ base }) => ['node', 'check.ts', base] }],
  },
];
