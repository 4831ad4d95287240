// THE list of connectors. Each source is named here; nothing is discovered by scanning.
import type { Services } from '../../access/context.ts';
import { type Config, ConfigError } from '../../config.ts';
import { CacheKey } from '../../runtime/caches.ts';
import type { ConnectorDefinition } from '../connectors/connector.ts';
import { demoLedger } from '../connectors/demo/demo-connector.ts';
import { FILES, inbox } from '../connectors/files/inbox.ts';
import { programDefinitions } from '../connectors/programs/definitions.ts';
import { tryton } from '../connectors/tryton/tryton.ts';
import { xero } from '../connectors/xero/xero.ts';

/** The connectors of this program; those of programs that an operator allows are added from the settings. */
const definitions: readonly ConnectorDefinition[] = [demoLedger, tryton, xero];

/** The connectors of accounting systems, whose coverage is documented. */
export const accountingSystems = definitions.filter((definition) => definition !== demoLedger);

/** The connectors of this program and of the programs that the settings allow. Throws ConfigError for programs that cannot be sources. */
export function connectorDefinitions(config: Config): ConnectorDefinition[] {
  const programs = programDefinitions(config);
  const known = [FILES, ...definitions.map(({ source }) => source)];
  const taken = programs.find(({ source }) => known.includes(source));
  if (taken) throw new ConfigError(`CONNECTORS_FILE names a program ${taken.source}, which is a source of the gateway itself`);
  return [...definitions, ...programs];
}

const bySource = new CacheKey<Services, Map<string, ConnectorDefinition>>(
  'connectors',
  (services) => new Map([inbox(services), ...connectorDefinitions(services.config)].map((definition) => [definition.source, definition])),
);

/** The connectors by their sources. Throws ConfigError for programs that cannot be sources, at the start. A company of any other source is served by the files in its inbox. */
export const connectorsOf = (services: Services): ReadonlyMap<string, ConnectorDefinition> => services.caches.of(bySource);
