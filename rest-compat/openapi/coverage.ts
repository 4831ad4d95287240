// The coverage page: what each connector of the gateway does with each data model and field, as Markdown from its declarations.
import { type Capability, type ConnectorDefinition, takesWrites } from '../../src/integrations/connectors/connector.ts';

/** The page in the checkout; the guides of the documentation show it too. */
export const COVERAGE = 'docs/guides/connector-coverage.md';

const HEADER = `# What connectors cover

This page lists what the built-in connectors do with each data model and field, as the connectors declare it. The query \`connectors\`, or \`GET /v4/core/connectors\` returns
the same for a running gateway, with the programs and files of its operator.

A field is read from the source, sent to the source, or both. The source takes no new record without a required field. A field that is not listed has no value
from this source, and is not sent to it.
`;

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ') || 'none';

function writesOf(capability: Capability): string {
  const writes = (['create', 'update', 'delete'] as const).filter((name) => capability[name]);
  return writes.length > 0 ? writes.join(', ') : 'read only';
}

function modelText(capability: Capability): string {
  const { dataModel, fields } = capability;
  const named = (wanted: (field: Capability['fields'][number]) => boolean): string => codes(fields.filter(wanted).map(({ name }) => name));
  return [
    `### ${dataModel}: ${writesOf(capability)}`,
    '',
    `- Read only: ${named(({ push }) => !push)}`,
    ...(takesWrites(capability)
      ? [
          `- Read and sent: ${named(({ pull, push, required }) => pull && push && !required)}`,
          `- Required: ${named(({ required }) => required)}`,
          `- Sent only: ${named(({ pull }) => !pull)}`,
        ]
      : []),
    '',
  ].join('\n');
}

/** The text of the page. */
export const coverageText = (definitions: readonly ConnectorDefinition[]): string =>
  [HEADER, ...definitions.flatMap(({ title, capabilities }) => [`## ${title}\n`, ...capabilities.map(modelText)])].join('\n');
