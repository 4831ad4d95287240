// The data models of the demo ledger that a test needs.
import { connectorsOf } from '../../src/integrations/connections/connectors.ts';
import type { ConnectorDefinition } from '../../src/integrations/connectors/connector.ts';
import type { Gateway } from './gateway.ts';

/**
 * Lets the demo ledger of a gateway have these data models alone, for tests of what happens to the records of one: a run takes statements and calls
 * for each of its ten, whether it finds anything or not.
 */
export function onlyModels({ services }: Gateway, ...dataModels: string[]): void {
  const definitions = connectorsOf(services) as Map<string, ConnectorDefinition>;
  const demo = definitions.get('DEMO')!;
  definitions.set('DEMO', { ...demo, capabilities: demo.capabilities.filter(({ dataModel }) => dataModels.includes(dataModel)) });
}
