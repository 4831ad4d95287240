// The tools and their commands. The steps of one folder run in order, the folders in parallel.
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const openapi = ['platform', 'address', 'integrations'].map((name) => join(root, `schema/openapi/${name}.json`));

/** A gateway with demo data, as the steps address it. */
export interface Target {
  base: string;
  bearer: string;
  apiKey: string;
}

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
export const folders = ({ withBrowser, withImage }: { withBrowser: boolean; withImage: boolean }): Folder[] => [
  ...(withImage
    ? [{ path: '.', installs: false, steps: [{ name: 'Image', command: () => ['node', 'test/tools/image.ts', '--make-base'] }] }]
    : []),
  ...(withBrowser
    ? [
        {
          path: 'test/tools/browser',
          installs: true,
          steps: [{ name: 'Pages in Chromium', command: ({ base }: Target) => ['node', 'check.ts', base] }],
        },
      ]
    : []),
  {
    path: '.',
    installs: false,
    steps: [{ name: 'Recipes of CONTRIBUTING.md', command: () => ['node', 'test/tools/recipes/run.ts'] }],
  },
  {
    path: 'test/tools/openapi',
    installs: true,
    steps: [
      { name: 'Spectral', command: () => ['npx', 'spectral', 'lint', '--fail-severity=hint', ...openapi] },
      { name: 'Redocly', command: () => ['node', 'redocly.ts', ...openapi] },
      { name: 'Prism', command: (_target, exchanges) => ['node', 'prism.ts', exchanges, ...openapi] },
    ],
  },
  {
    path: 'test/clients',
    installs: true,
    steps: [
      { name: 'Client types', command: () => ['npm', 'run', '--silent', 'generate'] },
      { name: 'Client type check', command: () => ['npm', 'run', '--silent', 'types'] },
      { name: 'Clients', command: ({ base, bearer, apiKey }) => ['node', 'run.ts', base, bearer, apiKey] },
    ],
  },
  {
    path: 'test/tools/random-queries',
    installs: true,
    steps: [{ name: 'Random queries', command: ({ base }) => ['node', 'check.ts', base, '--rounds', '500', '--seed', '1'] }],
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
    path: 'test/tools/patterns',
    installs: true,
    steps: [{ name: 'Regular expressions', command: () => ['node', 'check.ts'] }],
  },
  {
    path: 'test/tools/graphql-http',
    installs: true,
    steps: [{ name: 'GraphQL over HTTP audit', command: ({ base }) => ['node', 'check.ts', base] }],
  },
];
