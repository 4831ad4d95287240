// Settings of GraphQL Code Generator: the types of the operations in some documents and of what these use, with the scalars of the gateway.
import { join } from 'node:path';

/** Each scalar as a client sends it and as it gets it. An amount arrives as text (`decimals.ts`) and is sent as either; an id is also sent as the number of the record. */
const scalars = {
  CountryCode: 'string',
  DateTime: 'string',
  Decimal: { input: 'number | string', output: 'string' },
  EmailAddress: 'string',
  ExternalId: 'string | number',
  ID: { input: 'number | string', output: 'string' },
  IP: 'string',
  JSON: 'unknown',
  JSONObject: 'Record<string, unknown>',
  Latitude: 'number',
  LocalDate: 'string',
  Locale: 'string',
  Longitude: 'number',
  PositiveInt: 'number',
  Timestamp: 'number',
  UUID: 'string',
  Upload: 'Blob',
  URL: 'string',
};

/** The published schema. */
export const schema = join(import.meta.dirname, '../schema.graphql');

/** One generated file: typed documents for the operations in `documents`, and only the types that they use. */
export const operationTypes = (documents: string): object => ({
  documents,
  plugins: ['typescript-operations', 'typed-document-node'],
  config: {
    scalars,
    // A scalar that is missing above fails the run: a new one would otherwise be `any`.
    strictScalars: true,
    defaultScalarType: 'unknown',
    enumType: 'const',
    namingConvention: { enumValues: 'keep' },
    useTypeImports: true,
    immutableTypes: true,
    skipTypename: true,
    avoidOptionals: { field: true, inputValue: false, object: false },
  },
});
