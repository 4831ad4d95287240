// Checks that pulled records are made of the members and enum values that the published contract of the gateway takes.
import { ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Books } from './pulls.ts';

/** What is read of a JSON Schema. */
interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  type?: string | string[];
}

const file = join(import.meta.dirname, '../../../schema/openapi/integrations.json');
const schemas = (JSON.parse(readFileSync(file, 'utf8')) as { components: { schemas: Record<string, Schema> } }).components.schemas;

/** A schema with what it extends and the forms that it allows. */
function formsOf(schema: Schema): Schema[] {
  const own = schema.$ref ? schemas[schema.$ref.split('/').at(-1)!]! : schema;
  return [own, ...[...(own.allOf ?? []), ...(own.anyOf ?? []), ...(own.oneOf ?? [])].flatMap(formsOf)];
}

/** Members and values that a schema does not have, as paths. */
function strange(value: unknown, schema: Schema, path: string): string[] {
  const forms = formsOf(schema);
  if (Array.isArray(value)) {
    const items = forms.find((form) => form.items)?.items;
    return items ? value.flatMap((entry) => strange(entry, items, `${path}[]`)) : [];
  }
  if (value && typeof value === 'object') {
    const members = Object.assign({}, ...forms.map(({ properties }) => properties)) as Record<string, Schema>;
    if (Object.keys(members).length === 0) return [];
    return Object.entries(value).flatMap(([name, member]) => {
      const known = members[name];
      return known ? strange(member, known, `${path}.${name}`) : [`${path}.${name}`];
    });
  }
  const values = forms.flatMap((form) => form.enum ?? []);
  return value === null || values.length === 0 || values.includes(value) ? [] : [`${path} = ${value}`];
}

const inputOf = (dataModel: string): Schema | undefined =>
  schemas[`${dataModel.toLowerCase().replace(/(^|_)([a-z])/g, (_part, _start, letter: string) => letter.toUpperCase())}Input`];

export function membersAreKnown(books: Books): string {
  const checked = [...books].flatMap(([dataModel, { records }]) => {
    const schema = inputOf(dataModel);
    return schema ? [{ dataModel, wrong: records.flatMap((record) => strange(record, schema, dataModel)) }] : [];
  });
  const wrong = new Set(checked.flatMap((entry) => entry.wrong));
  ok(wrong.size === 0, `not in the contract: ${[...wrong].join(', ')}`);
  return `${checked.length} of ${books.size} data models have a contract`;
}
