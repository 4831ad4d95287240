// The shipped mappings: records in the form of the schemas that the taps publish, and the records here that they become.
import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLInputType, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { Mapping } from '../../../src/integrations/connectors/programs/mapping.ts';
import type { JsonObject } from '../../../src/integrations/connectors/programs/protocol.ts';
import { snakeCase } from '../../../src/records/naming.ts';
import { packagePath } from '../../../src/runtime/package-root.ts';
import { nextTo } from './program.ts';

/** A record of a stream, and what it becomes as a record of a data model. */
interface Example {
  stream: string;
  dataModel: string;
  given: JsonObject;
  records: JsonObject[];
  deleted: string[];
}

const taps = ['tap-xero', 'tap-quickbooks', 'tap-netsuite'].map((name) => ({
  name,
  mapping: Mapping.read(name),
  examples: JSON.parse(readFileSync(nextTo(`examples/${name}.json`), 'utf8')) as Example[],
}));

const schema = buildSchema(readFileSync(packagePath('schema', 'schema.graphql'), 'utf8'));

/** The input type of a data model; undefined for one that is not stored here. */
const inputOf = (dataModel: string): GraphQLInputType | undefined =>
  schema.getType(
    `${dataModel.replaceAll(/(?:^|_)([A-Z])([A-Z]*)/g, (_, first, rest) => first + rest.toLowerCase())}Input`,
  ) as GraphQLInputType;

/** The parts of a value that the fields of a type do not have: names that are not fields, and values that are not of their enumeration. */
function strangers(value: unknown, type: GraphQLInputType, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => strangers(entry, type, `${path}[${index}]`));
  const named = getNamedType(type);
  if (isEnumType(named)) return value === null || named.getValue(String(value)) ? [] : [`${path} ${value}`];
  if (!isInputObjectType(named) || typeof value !== 'object' || value === null) return [];
  const fields = new Map(Object.values(named.getFields()).map((field) => [snakeCase(field.name), field.type]));
  return Object.entries(value).flatMap(([name, member]) => {
    const field = fields.get(name);
    return field ? strangers(member, field, `${path}.${name}`) : [`${path}.${name}`];
  });
}

describe.each(taps)('$name', ({ mapping, examples }) => {
  const run = mapping.open();
  afterAll(() => run.close());

  it('has an example of each stream for each data model', () => {
    const shown = new Set(examples.map(({ stream, dataModel }) => `${stream} ${dataModel}`));
    const rules = mapping.dataModels.flatMap((dataModel) => [...run.streamsOf(dataModel)].map((stream) => `${stream} ${dataModel}`));
    expect(rules.filter((rule) => !shown.has(rule))).toEqual([]);
  });

  it.each(examples.map((example) => [`${example.stream} → ${example.dataModel}`, example] as const))('%s', async (_, example) => {
    const made = await run.apply(example.dataModel, example.stream, example.given);
    expect(made).toEqual({ records: example.records, deleted: example.deleted });
  });

  it('makes the fields of the data model and the values of its enumerations', () => {
    const stored = examples.filter(({ dataModel }) => inputOf(dataModel));
    expect(stored.length).toBeGreaterThan(5);
    expect(stored.flatMap(({ records, dataModel }) => strangers(records, inputOf(dataModel)!, dataModel))).toEqual([]);
  });
});
