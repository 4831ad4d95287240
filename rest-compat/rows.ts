// THE table of REST routes.
import { addressRows } from './address-rows.ts';
import { integrationsRows } from './integrations-rows.ts';
import { platformEntityRows } from './platform-entity-rows.ts';
import { platformRows } from './platform-rows.ts';
import type { Row } from './row.ts';

export const rows: Row[] = [...addressRows, ...platformRows, ...platformEntityRows, ...integrationsRows];
