// The files under schema/ match the code, and the database matches its declarations.
import { readFileSync } from 'node:fs';
import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { CLIENT_FIELDS, clientFields } from '../../rest-compat/openapi/client-fields.ts';
import { contracts } from '../../rest-compat/openapi/contracts.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { operationName } from '../../rest-compat/runtime/stored-operation.ts';
import { missingSchema } from '../../src/database/schema-diff.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { entities, orphanTypes, resolvers } from '../../src/registry.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { useGateway } from '../support/gateway.ts';

const schema = buildGatewaySchema(resolvers, orphanTypes);

describe('contracts', () => {
  it.each([...contracts(schema), [CLIENT_FIELDS, clientFields(schema)] as const])(
    'schema/%s matches the code (npm run contracts writes it)',
    (file, text) => {
      expect(readFileSync(packagePath('schema', file), 'utf8')).toBe(text);
    },
  );

  it('every route has an operation name of its own', () => {
    const names = routes.map(operationName);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('every type, field, argument and enum value of the schema is described, once where several are named like a field of a record', () => {
    const undescribed: string[] = [];
    const check = (path: string, node: { description?: string | null | undefined }): void => {
      if (!node.description && !isNamedAfterField(path)) undescribed.push(path);
    };
    // Conditions, sort keys, keys of groups and aggregates are named like the field of the record that they are about.
    const isNamedAfterField = (path: string): boolean => {
      const [, record, name] = /^(\w+?)(?:Filter|OrderField|GroupField|SummaryOrderField|Amounts|Bounds)\.(?:SUM_)?(\w+)$/.exec(path) ?? [];
      const type = schema.getType(record ?? '');
      if (!isObjectType(type) || !name) return false;
      return Object.values(type.getFields()).some((field) => [field.name, snakeCase(field.name).toUpperCase()].includes(name));
    };
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__') || ['Query', 'Mutation', 'Subscription'].includes(type.name)) continue;
      check(type.name, type);
    }
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if ('getFields' in type) {
        for (const field of Object.values(type.getFields())) {
          check(`${type.name}.${field.name}`, field);
          for (const argument of 'args' in field ? field.args : []) check(`${type.name}.${field.name}(${argument.name})`, argument);
        }
      }
      if ('getValues' in type) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    }
    expect(undescribed).toEqual([]);
  });
});

describe('database', () => {
  const gateway = useGateway();

  it('the migrations make exactly the tables, indexes, policies and foreign keys that are declared', async () => {
    expect(await missingSchema(gateway.services.database, entities)).toEqual([]);
  });

  it('the key and every unique index of a table of companies hold the company, so that its rows can be on a node of their own', async () => {
    const ofCompanies = new Map(
      entities.map(modelOf).flatMap(({ table, companyColumn }) => (companyColumn ? [[table, companyColumn]] : [])),
    );
    const indexes = await gateway.services.database.orm.em
      .fork()
      .getConnection()
      .execute<{ table: string; index: string; columns: string[] }[]>(
        `select c.relname as table, indexrelid::regclass::text as index, array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(indkey)) as columns
         from pg_index join pg_class c on c.oid = indrelid where indisunique and c.relnamespace = 'public'::regnamespace`,
      );
    const known = indexes.filter(({ table }) => ofCompanies.has(table));
    expect(new Set(known.map(({ table }) => table)).size).toBe(ofCompanies.size);
    expect(known.filter(({ table, columns }) => !columns.includes(ofCompanies.get(table)!)).map(({ index }) => index)).toEqual([]);
  });
});
