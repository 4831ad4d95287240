// The conformance of a connector: reads from a source with given settings what a gateway would, and reports what it could not use. Writes nothing.
import { isDeepStrictEqual } from 'node:util';
import type { GraphQLSchema } from 'graphql';
import { GatewayError } from '../../records/errors.ts';
import {
  type Capability,
  type Connector,
  type ConnectorDefinition,
  type Json,
  type SourcePage,
  type SourceRecord,
  takesWrites,
} from '../connectors/connector.ts';
import { openSourceHttp } from '../connectors/source-http.ts';
import { sourcedModels } from '../ledger/ledger-record.ts';
import { lacking, type Settings } from './settings.ts';

/** Pages of a data model that are looked at. */
const PAGES = 3;

/** A finding about a connector. */
export interface ConnectorFinding {
  /** What was looked at: `definition`, `settings`, `connection`, or a data model. */
  what: string;
  isGood: boolean;
  words: string;
}

/** What a check needs besides the definition. */
export interface CheckRequest {
  settings: Settings;
  privateHosts: readonly string[];
  signal: AbortSignal;
  schema: GraphQLSchema;
  /** Returns what coerces the records of a data model; it throws a GatewayError for one that could not be stored. */
  coercerOf: (schema: GraphQLSchema, dataModel: string) => (record: SourceRecord, path: string) => unknown;
}

/** Checks a connector; yields each finding as it is made. */
export async function* checkConnector(definition: ConnectorDefinition, request: CheckRequest): AsyncGenerator<ConnectorFinding> {
  yield* definitionFindings(definition);
  const titles = lacking(definition, request.settings);
  if (titles.length > 0) {
    const hint = definition.oauth && request.settings.accessToken === undefined ? '; the setting `accessToken` takes a token of it' : '';
    yield { what: 'settings', isGood: false, words: `missing: ${titles.join(', ')}${hint}` };
    return;
  }
  const { http, close } = openSourceHttp({ privateHosts: request.privateHosts, signal: request.signal, now: () => new Date() });
  const company = { organisationId: 1, ledgerId: 1, integrationType: definition.source };
  const { settings, signal } = request;
  // What the source changes, such as a token that was used up, is kept for the rest of the check.
  const current = { ...settings };
  const saveSettings = async (changed: Readonly<Settings>): Promise<void> => void Object.assign(current, changed);
  try {
    const accessToken = async (): Promise<string> => settings.accessToken!;
    const connector = definition.open({ company, settings: current, http, accessToken, saveSettings, signal });
    const failure = await connector.check().then(
      () => undefined,
      (error: unknown) => error,
    );
    yield failure === undefined
      ? { what: 'connection', isGood: true, words: 'the source accepts the settings' }
      : { what: 'connection', isGood: false, words: wordsOf(failure) };
    if (failure !== undefined) return;
    const unmapped = (await connector.unmapped?.()) ?? [];
    if (unmapped.length > 0) yield { what: 'mapping', isGood: true, words: `not mapped: ${unmapped.join(', ')}` };
    for (const capability of definition.capabilities) if (capability.pull) yield await modelFinding(connector, capability, request);
  } finally {
    await close();
  }
}

function* definitionFindings({ source, settings, capabilities }: ConnectorDefinition): Generator<ConnectorFinding> {
  const names = settings.map(({ name }) => name);
  const models = capabilities.map(({ dataModel }) => dataModel);
  const known = sourcedModels();
  const problems = [
    ...(/^[A-Z][A-Z0-9_]{0,63}$/.test(source) ? [] : [`source ${source} is not an upper snake case name`]),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `setting ${name} is declared twice`),
    ...models.filter((model, index) => models.indexOf(model) !== index).map((model) => `${model} is declared twice`),
    ...models.filter((model) => !known.includes(model)).map((model) => `${model} is not a data model that can be pulled or pushed`),
    ...capabilities
      .filter((capability) => !capability.pull && !takesWrites(capability))
      .map(({ dataModel }) => `${dataModel} is neither pulled nor pushed`),
  ];
  if (problems.length === 0) yield { what: 'definition', isGood: true, words: `${settings.length} settings, ${models.length} data models` };
  for (const words of problems) yield { what: 'definition', isGood: false, words };
}

/** Pulls some pages of a data model and judges their records. */
async function modelFinding(connector: Connector, capability: Capability, request: CheckRequest): Promise<ConnectorFinding> {
  const { dataModel } = capability;
  const problems: string[] = [];
  let records: SourceRecord[] = [];
  try {
    const coerce = request.coercerOf(request.schema, dataModel);
    const pages: SourcePage[] = [];
    for await (const page of connector.pull({ dataModel, cursor: null, since: null, isFull: true })) {
      pages.push(page);
      if (pages.length === PAGES) break;
    }
    records = pages.flatMap((page) => page.records);
    for (const [index, record] of records.entries()) problems.push(...refusalOf(coerce, record, `record ${index + 1}`));
    problems.push(...cursorProblems(pages));
    const [first] = records;
    if (first && connector.read) problems.push(...(await readProblems(connector, dataModel, first)));
  } catch (error) {
    problems.push(wordsOf(error));
  }
  if (takesWrites(capability) && !connector.push) problems.push('the definition says that it is pushed, and the connector has no push');
  const words = problems.length > 0 ? problems.slice(0, 3).join('; ') : `${records.length} records read and accepted`;
  return { what: dataModel, isGood: problems.length === 0, words };
}

function refusalOf(coerce: (record: SourceRecord, path: string) => unknown, record: SourceRecord, path: string): string[] {
  try {
    coerce(record, path);
    return [];
  } catch (error) {
    return [wordsOf(error)];
  }
}

/** What is wrong with the cursors: one that JSON changes cannot be stored. */
const cursorProblems = (pages: readonly SourcePage[]): string[] =>
  pages.flatMap(({ cursor }, index) => {
    const stored: Json | undefined = cursor === undefined ? undefined : JSON.parse(JSON.stringify(cursor));
    return isDeepStrictEqual(stored, cursor) ? [] : [`the cursor of page ${index + 1} is not JSON`];
  });

async function readProblems(connector: Connector, dataModel: string, { platform_id: id }: SourceRecord): Promise<string[]> {
  const found = await connector.read!(dataModel, String(id));
  if (found === null) return [`${id} was pulled and cannot be read`];
  return String(found.platform_id) === String(id) ? [] : [`${id} was read as ${found.platform_id}`];
}

const wordsOf = (error: unknown): string => {
  if (error instanceof GatewayError) return `${error.code}: ${error.message}`;
  return `${(error as Error).name}: ${(error as Error).message}`;
};
