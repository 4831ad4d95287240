// The settings of a connection as the configuration of its program, and back from one that the program has changed.
import type { ProgramSetting, ProgramSettings } from '../../../config.ts';
import { parseExact } from '../../../json/exact-json.ts';
import { GatewayError } from '../../../records/errors.ts';
import type { Json } from '../connector.ts';
import { isObject, type JsonObject } from './protocol.ts';

type Settings = Readonly<Record<string, string>>;

const pathOf = ({ name, path }: ProgramSetting): readonly string[] => path ?? [name];

function withMember(object: JsonObject, [name, ...rest]: readonly string[], value: Json): JsonObject {
  const inner = object[name!];
  return { ...object, [name!]: rest.length === 0 ? value : withMember(isObject(inner) ? inner : {}, rest, value) };
}

function memberAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

function memberOfText(setting: ProgramSetting, text: string): Json {
  if (!setting.isJson) return text;
  const wrong = (words: string): GatewayError =>
    new GatewayError('INVALID_PARAMS', `setting ${setting.name} ${words}`, { field: `settings.${setting.name}` });
  try {
    return parseExact(text, (digits) => {
      throw wrong(`has the number ${digits.slice(0, 40)}, of which the program would get another; write it as text`);
    }) as Json;
  } catch (error) {
    throw error instanceof GatewayError ? error : wrong('must be JSON');
  }
}

/** The configuration of a program: what the operator gives every connection, and the settings of this one. */
export function configOf(program: ProgramSettings, settings: Settings): JsonObject {
  let config: JsonObject = program.config as JsonObject;
  for (const setting of program.settings) {
    const text = settings[setting.name];
    if (text !== undefined && text !== '') config = withMember(config, pathOf(setting), memberOfText(setting, text));
  }
  return config;
}

/** The settings that a changed configuration has other values of; members that are no settings are the program's own affair. */
export function changedSettings(program: ProgramSettings, settings: Settings, config: JsonObject): Settings {
  const changed: Record<string, string> = {};
  for (const setting of program.settings) {
    const member = memberAt(config, pathOf(setting));
    if (member === undefined || member === null) continue;
    const text = typeof member === 'string' && !setting.isJson ? member : JSON.stringify(member);
    const before = settings[setting.name];
    const given = before === undefined || before === '' ? undefined : memberOfText(setting, before);
    if (JSON.stringify(given) !== JSON.stringify(setting.isJson ? member : text)) changed[setting.name] = text;
  }
  return changed;
}
