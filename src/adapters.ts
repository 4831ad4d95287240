// THE list of adapters, in the order in which requests reach them.

import { downloadAdapter } from '../rest-compat/operations/downloads.ts';
import { healthAdapter } from '../rest-compat/operations/health.ts';
import { metricsAdapter } from '../rest-compat/operations/metrics.ts';
import { sourceMessageAdapter } from '../rest-compat/operations/source-messages.ts';
import { notFoundAdapter, restAdapter } from '../rest-compat/runtime/rest-adapter.ts';
import { appsAdapter } from '../site/apps/adapter.ts';
import { connectionFormAdapter } from '../site/forms/connection-form.ts';
import { incorporationFormAdapter } from '../site/forms/incorporation-form.ts';
import { mcpAdapter } from '../site/mcp/adapter.ts';
import { pagesAdapters } from '../site/pages/adapter.ts';
import { documentationWith } from '../site/pages/documentation.ts';
import type { DemoKeys } from './demo/demo.ts';
import type { Adapter } from './server/app.ts';

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
