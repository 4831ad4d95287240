// The tests that judge the mutants: those that need neither a database nor the program.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { resolve } from '../../../vitest.config.ts';

const root = join(import.meta.dirname, '../../..');

export default defineConfig({
  root,
  resolve,
  test: {
    isolate: false,
    include: [
      'test/functions/*.test.ts',
      'test/process/{outbound,security,webhook-signature}.test.ts',
      'test/events/{receivers,retry-schedule}.test.ts',
    ],
  },
});
