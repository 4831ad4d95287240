// Test runner settings. `graphql` is pinned to one entry file because it ships two module formats, and two copies of its classes do not recognise each other.
import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const require = createRequire(import.meta.url);

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: require.resolve('graphql/index.js') }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/template.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    server: {
      deps: {
        inline: ['type-graphql', 'graphql-scalars', 'graphql-jit', 'graphql-query-complexity', /@apollo/, /@as-integrations/, 'graphql-ws'],
      },
    },
  },
});
