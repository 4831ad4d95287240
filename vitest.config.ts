// Test runner settings. `graphql` is pinned to one entry file because it ships two module formats, and two copies of its classes do not recognise each other.
import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const require = createRequire(import.meta.url);

/** Files that start and kill programs take longest, so they go first: at the end one of them kept the other workers idle for half a minute. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      /admin|error-fields|orderly-stop|processes|refused-starts|suites/.test(moduleId);
    return (await super.sort(files)).sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

/** How imports are found; the runs of `test/proof/mutants` find them the same way. */
export const resolve = { alias: [{ find: /^graphql$/, replacement: require.resolve('graphql/index.js') }] };

export default defineConfig({
  resolve,
  test: {
    include: ['test/**/*.test.ts'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/template.ts'],
    // Files share the modules of their worker: loading the gateway again for each was two thirds of the suite's time. State lives in each file's
    // own gateway.
    isolate: false,
    // Many tests wait for queues, retries and processes: on two cores one worker more than cores keeps them busy.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
