// Commands about connectors: those there are, and the conformance of one with the settings of a source.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { buildGatewaySchema } from '../graphql/schema.ts';
import { checkConnector } from '../integrations/connections/connector-check.ts';
import { connectorDefinitions } from '../integrations/connections/connectors.ts';
import { takesWrites } from '../integrations/connectors/connector.ts';
import { modelCoercer } from '../integrations/syncs/pull-pages.ts';
import { orphanTypes, resolvers } from '../registry.ts';
import type { Printer } from './print.ts';

/** The settings in a file: an object of texts. Read from a file, because arguments of a process can be seen by others. */
function settingsIn(file: string): Record<string, string> {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || Object.values(value).some((entry) => typeof entry !== 'string')) throw new Error(`${file} must have an object of texts`);
  return value as Record<string, string>;
}

/** Adds the commands. */
export function connectorCommands(program: Command, config: Config, printer: Printer): void {
  const connectors = program.command('connector').description('see and check the connectors to source systems');
  connectors
    .command('list')
    .description('list the connectors with what they pull and push')
    .action(() => {
      const rows = connectorDefinitions(config).map(({ source, title, capabilities }) => [
        source,
        title,
        capabilities.filter(({ pull }) => pull).length,
        capabilities.filter(takesWrites).length,
      ]);
      printer.table(['source', 'title', 'pulls', 'pushes'], rows);
    });
  connectors
    .command('check')
    .description('read from a source what the gateway would, and tell what it could not use; writes nothing')
    .argument('<name>', 'name of the source')
    .option('--settings <file>', 'JSON file with the settings of the source by their names, and `accessToken` where it is signed in to')
    .action(async (name: string, { settings }: { settings?: string }) => {
      const definitions = connectorDefinitions(config);
      const definition = definitions.find(({ source }) => source === name.toUpperCase());
      if (!definition) program.error(`there is no connector ${name}; there are ${definitions.map(({ source }) => source).join(', ')}`);
      const rows: string[][] = [];
      const request = {
        settings: settings === undefined ? {} : settingsIn(settings),
        privateHosts: config.connectorPrivateHosts,
        signal: new AbortController().signal,
        schema: buildGatewaySchema(resolvers, orphanTypes),
        coercerOf: modelCoercer,
      };
      for await (const { what, isGood, words } of checkConnector(definition, request)) {
        rows.push([what, isGood ? 'ok' : 'ERROR', words]);
        if (!isGood) process.exitCode = 1;
      }
      printer.table(['check', 'state', 'finding'], rows);
    });
}
