// Test runner settings. `graphql` is pinned to one entry file because it ships two module formats, and two copies of its classes do not recognise each other.
import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const require = createRequire(import.meta.url);

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: require.resolve('graphql/index.js') }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/template.ts'],
    // Files share the modules of their worker: loading the gateway anew for each was two thirds of the suite's time. State lives in each file's own gateway.
    isolate: false,
    // Many tests wait for queues, retries and processes: on two cores one worker more than cores keeps them busy.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    server: {
      deps: {
        inline: ['type-graphql', 'graphql-scalars', 'graphql-jit', /@apollo/, 'graphql-ws'],
      },
    },
  },
});
