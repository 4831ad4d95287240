// Chooses the connector of a company by its integration type.
import type { Services } from '../../access/context.ts';
import type { Connector } from './connector.ts';
import { InboxConnector } from './inbox.ts';

/** Connectors of vendors by integration type; a company of any other type is served by the files in its inbox. */
const vendors = new Map<string, (services: Services) => Connector>();

/** The connector of a company. */
export const connectorFor = (services: Services, integrationType: string): Connector =>
  vendors.get(integrationType)?.(services) ?? new InboxConnector(services);
