// The settings of a connection: what a connector declares, checked, and parted into what is shown and what is sealed.

import type { Services } from '../../access/context.ts';
import { Gathering } from '../../records/checked.ts';
import { type InputIssue, shortened } from '../../records/input-issue.ts';
import type { ConnectorDefinition, SettingField } from '../connectors/connector.ts';
import type { Connection } from './connection.ts';

/** Longest value of a setting of one line, in characters. */
const MAX_CHARACTERS = 4_096;

/** Settings by their names. */
export type Settings = Record<string, string>;

/** Settings as a caller gives them, in their two parts. */
export interface GivenSettings {
  shown: Settings;
  secret: Settings;
}

function issueOf(field: SettingField | undefined, path: string, value: unknown): InputIssue | undefined {
  if (!field) return { field: path, code: 'UNKNOWN_FIELD', message: `${path} is not a setting of this source` };
  if (typeof value !== 'string') return { field: path, code: 'INVALID_TYPE', message: `${path} must be text` };
  const { maxLength = MAX_CHARACTERS } = field;
  if (value.length > maxLength) return { field: path, code: 'TOO_LONG', message: `${path} must have at most ${maxLength} characters` };
  if (value.trim() === '') return { field: path, code: 'REQUIRED', message: `${path} must not be empty` };
  if (field.kind === 'url' && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)))
    return { field: path, code: 'INVALID_FORMAT', message: `${path} must be a URL that begins with https:// or http://` };
  if (field.kind === 'date' && !/^\d{4}-\d\d-\d\d$/.test(value))
    return { field: path, code: 'INVALID_FORMAT', message: `${path} must be a date such as 2026-01-31` };
  const message = field.issue?.(value, path);
  return message === undefined ? undefined : { field: path, code: 'INVALID_VALUE', message };
}

const knownSettings = ({ settings }: ConnectorDefinition): Map<string, SettingField> =>
  new Map(settings.map((field) => [field.name, field]));

/** What is wrong with given settings by what the connector declares; never a value. */
export function settingIssues(definition: ConnectorDefinition, given: Readonly<Record<string, unknown>>, path: string): Gathering {
  const known = knownSettings(definition);
  const gathering = new Gathering();
  for (const [name, value] of Object.entries(given)) {
    const issue = issueOf(known.get(name), `${path}.${shortened(name)}`, value);
    if (issue) gathering.add(issue.field, issue.code, issue.message);
  }
  return gathering;
}

/** Checks settings against what the connector declares. Throws INVALID_PARAMS that names every wrong one, never its value. */
export function checkSettings(definition: ConnectorDefinition, given: Readonly<Record<string, unknown>>, path: string): GivenSettings {
  settingIssues(definition, given, path).refuse();
  return partsOf(definition, given as Settings);
}

/** Settings in their two parts. What a source keeps besides those that the connector declares is no secret. */
export function partsOf(definition: ConnectorDefinition, settings: Readonly<Settings>): GivenSettings {
  const known = knownSettings(definition);
  const parts: GivenSettings = { shown: {}, secret: {} };
  for (const [name, value] of Object.entries(settings)) parts[known.get(name)?.kind === 'secret' ? 'secret' : 'shown'][name] = value;
  return parts;
}

/** Titles of the required settings that a connection does not have yet, and the sign-in at the source where it needs one. */
export const lacking = ({ settings, oauth, title }: ConnectorDefinition, has: Readonly<Settings>): string[] => [
  ...settings.filter(({ name, isRequired }) => isRequired && has[name] === undefined).map((field) => field.title),
  ...(oauth && has.accessToken === undefined ? [`a sign-in at ${title}`] : []),
];

/** The secret settings of a connection, readable. For the calls of its connector alone. */
export const openCredentials = (
  { secrets }: Services,
  { id, sealedCredentials }: Pick<Connection, 'id' | 'sealedCredentials'>,
): Settings => (sealedCredentials === null ? {} : JSON.parse(secrets.open(sealedCredentials, id)));

/** The secret settings of a connection as they are stored; null without any. */
export const sealCredentials = ({ secrets }: Services, id: string, credentials: Settings): string | null =>
  Object.keys(credentials).length === 0 ? null : secrets.seal(JSON.stringify(credentials), id);
