// THE table of REST routes.
import { addressRows } from './address-rows.ts';
import { integrationsRows } from './integrations-rows.ts';
import { platformEntityRows } from './platform-entity-rows.ts';
import { platformRows } from './platform-rows.ts';
import type { Row } from './row.ts';
import { webhookRows } from './webhook-rows.ts';

export const rows: Row[] = [...addressRows, ...integrationsRows, ...platformRows, ...platformEntityRows, ...webhookRows];
