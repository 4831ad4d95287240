// THE list of doors around /graphql, in the order requests meet them.
import type { Door } from '../src/app.ts';
import type { DemoKeys } from '../src/demo.ts';
import { downloadDoor } from './download-door.ts';
import { incorporationFormDoor } from './incorporation-form.ts';
import { metricsDoor } from './metrics-door.ts';
import { operationsDoor } from './operations-door.ts';
import { pagesDoors } from './pages-door.ts';
import { lastDoor, restDoor } from './rest-door.ts';

/** The doors of a gateway; demo keys are shown on its pages. */
export const doors = (demo: DemoKeys | null): { fast: Door[]; before: Door[]; after: Door[] } => {
  const { pages, problems } = pagesDoors(demo);
  return {
    fast: [restDoor],
    before: [metricsDoor, downloadDoor, incorporationFormDoor, pages, operationsDoor],
    after: [problems, lastDoor],
  };
};
