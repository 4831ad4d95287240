// The heavy proofs that concern few files, and the files whose change calls for each.

export interface Part {
  name: string;
  /** Git pathspecs; what these files import from test/ counts too. A part without them runs when it is asked for by name or with all others. */
  covers?: string[];
  /** Exits with 3 where a program that it needs is not installed; its last line says which. */
  command: string[];
}

/** A suite of test/suites in its small form. */
const suite = (name: string, ...covers: string[]): Part => ({
  name,
  covers: [`test/suites/${name}*`, ...covers],
  command: ['npx', 'vitest', 'run', `test/suites/${name}`, '--silent=false', '--reporter=default'],
});

/** The contract, the integrations and the connections on a newer server than the one that CI has. CI runs them on it after a change of the schema. */
const postgresql = (version: number): Part => ({
  name: `postgresql-${version}`,
  covers: ['schema/migrations', 'test/proof/postgresql.ts', 'test/proof/package-lock.json'],
  command: ['node', 'test/proof/postgresql.ts', String(version)],
});

/** Tools of `test/tools/steps.ts` that belong to this proof. */
const tools = (name: string, ...covers: string[]): Part => ({
  name,
  covers: ['test/tools/steps.ts', ...covers],
  command: ['node', 'test/tools/run.ts', name],
});

export const parts: Part[] = [
  suite('pooler', 'src/database/connection', 'src/database/read-path'),
  suite('replicas', 'src/database/replicas', 'src/database/open-reads.ts'),
  suite('rolling', 'src/main.ts', 'src/serve.ts', 'src/server/listener.ts', 'src/database/migrations'),
  suite('move', 'src/database/move', 'src/admin/move.ts', 'src/database/migrations'),
  suite('owner', 'src/database/directory-lock.ts', 'src/database/open.ts', 'src/main.ts', 'src/serve.ts'),
  suite('distributed', 'src/database/distributed', 'src/database/engine'),
  tools('openapi', 'test/tools/openapi', 'schema/openapi', 'rest-compat/openapi'),
  tools('browser', 'test/tools/browser', 'site', 'docs/guides', 'schema/schema.graphql', 'src/demo', 'src/http', 'src/server'),
  tools(
    'xero',
    'test/tools/openapi/xero*',
    'test/connections/xero*',
    'src/integrations/connectors/xero',
    'src/integrations/connectors/*.ts',
  ),
  {
    name: 'tryton',
    covers: ['test/tools/tryton', 'src/integrations/books', 'src/integrations/connectors/tryton', 'src/integrations/connectors/*.ts'],
    command: ['node', 'test/tools/tryton/check.ts'],
  },
  {
    name: 'hledger',
    covers: ['test/tools/hledger', 'src/integrations/books'],
    command: ['node', 'test/tools/hledger/check.ts'],
  },
  {
    name: 'ledgers',
    covers: ['test/tools/ledgers', 'src/integrations/connectors/files'],
    command: ['node', 'test/tools/ledgers/check.ts'],
  },
  {
    name: 'image',
    covers: ['test/tools/image.ts', 'Dockerfile', '.dockerignore', 'package-lock.json', 'rolldown.config.ts'],
    command: ['node', 'test/tools/image.ts', '--make-base'],
  },
  {
    name: 'recipes',
    covers: ['CONTRIBUTING.md', 'test/tools/recipes', 'src/registry.ts', 'src/records/decorators.ts', 'src/integrations/ledger'],
    command: ['node', 'test/tools/recipes/run.ts'],
  },
  { name: 'upgrade', command: ['node', 'test/proof/upgrade.ts'] },
  { name: 'mutants', command: ['node', 'test/proof/mutants/run.ts'] },
  { name: 'alerts', command: ['node', 'test/tools/deploy/failures.ts'] },
  { name: 'machine', command: ['node', 'test/tools/machine/run.ts'] },
  // Longer limits than in CI: it runs for an hour, next to other work.
  { name: 'embedded', command: ['npm', 'run', '--silent', 'test:all', '--', '--test-timeout=180000', '--hook-timeout=300000'] },
  postgresql(17),
  postgresql(18),
];
