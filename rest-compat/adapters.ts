// THE list of adapters, in the order in which requests reach them.

import type { DemoKeys } from '../src/demo/demo.ts';
import type { Adapter } from '../src/server/app.ts';
import { appsAdapter } from './apps/adapter.ts';
import { connectionFormAdapter } from './forms/connection-form.ts';
import { incorporationFormAdapter } from './forms/incorporation-form.ts';
import { mcpAdapter } from './mcp/adapter.ts';
import { downloadAdapter } from './operations/downloads.ts';
import { healthAdapter } from './operations/health.ts';
import { metricsAdapter } from './operations/metrics.ts';
import { sourceMessageAdapter } from './operations/source-messages.ts';
import { pagesAdapters } from './pages/adapter.ts';
import { documentationWith } from './pages/documentation.ts';
import { notFoundAdapter, restAdapter } from './runtime/rest-adapter.ts';

/** The adapters of a gateway; its pages show the demo keys. */
export const adapters = (demo: DemoKeys | null): { fast: Adapter[]; before: Adapter[]; after: Adapter[] } => {
  const documentationOf = documentationWith(demo);
  const { pages, problems } = pagesAdapters(documentationOf);
  return {
    fast: [restAdapter],
    before: [
      ...[metricsAdapter, downloadAdapter, incorporationFormAdapter, connectionFormAdapter, sourceMessageAdapter],
      ...[mcpAdapter(documentationOf), pages, appsAdapter(demo), healthAdapter],
    ],
    after: [problems, notFoundAdapter],
  };
};
