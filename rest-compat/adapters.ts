// THE list of adapters around /graphql, in the order requests meet them.

import type { DemoKeys } from '../src/demo/demo.ts';
import type { Adapter } from '../src/server/app.ts';
import { incorporationFormAdapter } from './forms/incorporation-form.ts';
import { downloadAdapter } from './operations/downloads.ts';
import { healthAdapter } from './operations/health.ts';
import { metricsAdapter } from './operations/metrics.ts';
import { pagesDoors } from './pages/adapter.ts';
import { notFoundAdapter, restAdapter } from './runtime/rest-adapter.ts';

/** The adapters of a gateway; demo keys are shown on its pages. */
export const adapters = (demo: DemoKeys | null): { fast: Adapter[]; before: Adapter[]; after: Adapter[] } => {
  const { pages, problems } = pagesDoors(demo);
  return {
    fast: [restAdapter],
    before: [metricsAdapter, downloadAdapter, incorporationFormAdapter, pages, healthAdapter],
    after: [problems, notFoundAdapter],
  };
};
