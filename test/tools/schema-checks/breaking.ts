// Compares the contracts in schema/ with those of the last release in schema/released/; fails on a change that breaks callers.
// node breaking.ts [--release]   (--release makes the current contracts and migrations the released ones)
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { breakingChanges } from './openapi-diff.ts';

const ISO_CURRENCY = 'a currency that the company does not hold is the one of ISO 4217, which was never stored';

const SCALARS = 'standard text and degrees have the scalar of their form; the values are as before, and variables of type String are taken';

const ORDERS = 'each record type has an order of its own columns; documents that name the former values literally stay valid';

const CONDITIONS = 'the operators of a column are the members of one parameter; requests spell them as before';

const REFUSED =
  'a refused mutation answers with its errors and none of the other members; documents that do not select errors get top-level errors as before';

const CAPITALS =
  'values of these enumerations are in capitals; inputs take the former names, and both in one enumeration would break generated clients';

/** Breaking changes since the last release that were decided on, with the reason. The CHANGELOG announces them. */
const accepted: { change: RegExp; reason: string }[] = [
  {
    change: /^schema\.graphql: Field '(Query|Mutation)\.\w+' changed type from '(.+)!' to '\2'$/,
    reason: 'root fields are nullable, so that an error takes one of them',
  },
  {
    change: /^schema\.graphql: Field 'Currency\.(dataHash|etag|ledger\w+|platformId)' changed type from '(.+)!' to '\2'$/,
    reason: ISO_CURRENCY,
  },
  {
    change: /(\.currency|\/currencies\S* \d+\.data(\.data)?(\[\])?)\.(data_hash|ledger_\w+|platform_id): type can now be null$/,
    reason: ISO_CURRENCY,
  },
  {
    change:
      /^schema\.graphql: (Field|Input field|Type for argument) .* from '(\[?)String(!?\]?!?)' to '\2(CountryCode|EmailAddress|IP|Locale|URL)\3'$/,
    reason: SCALARS,
  },
  {
    change:
      /^schema\.graphql: (Type 'LedgerOrder(Field)?' was removed|Type for argument 'orderBy' on field 'Company\.\w+' changed from 'LedgerOrder' )/,
    reason: ORDERS,
  },
  { change: /^schema\.graphql: Field '(\w+Payload|IssuedAccessKey)\.\w+' changed type from '(.+)!' to '\2'$/, reason: REFUSED },
  {
    change:
      /^schema\.graphql: Type for argument 'country' on field 'Mutation\.submitIncorporationForm' changed from 'String!' to 'CountryCode'$/,
    reason: SCALARS,
  },
  {
    change:
      /^schema\.graphql: Enum value '\w+' was removed from enum '(DocumentSubType|EvidenceKind|FormFieldKind|GeocodeMatch|GeocodePrecision|IncorporationStatus|InputFieldType|StateRule)'$/,
    reason: CAPITALS,
  },
  { change: /: parameter query \w+\[(eq|in|gte|lte)\] removed$/, reason: CONDITIONS },
  { change: /^schema\.graphql: Field 'Coordinates\.l\w+itude' changed type from 'Float!' to 'L\w+itude!'$/, reason: SCALARS },
];

const schema = join(import.meta.dirname, '../../../schema');
const released = join(schema, 'released');
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const documents = readdirSync(join(schema, 'openapi'));

if (process.argv.includes('--release')) {
  cpSync(join(schema, 'schema.graphql'), join(released, 'schema.graphql'));
  cpSync(join(schema, 'openapi'), join(released, 'openapi'), { recursive: true });
  const migrations = readdirSync(join(schema, 'migrations')).sort();
  const digest = (file: string): string =>
    createHash('sha256')
      .update(read(schema, 'migrations', file))
      .digest('hex');
  writeFileSync(join(released, 'migrations.sha256'), migrations.map((file) => `${digest(file)}  ${file}\n`).join(''));
}
const changes = await diff(buildSchema(read(released, 'schema.graphql')), buildSchema(read(schema, 'schema.graphql')));
const findings = changes
  .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
  .map(({ message }) => `schema.graphql: ${message}`);
for (const name of documents) {
  findings.push(
    ...breakingChanges(JSON.parse(read(released, 'openapi', name)), JSON.parse(read(schema, 'openapi', name))).map(
      (finding) => `${name}: ${finding}`,
    ),
  );
}
const refused = findings.filter((finding) => !accepted.some(({ change }) => change.test(finding)));
for (const { change, reason } of accepted) console.log(`${findings.filter((finding) => change.test(finding)).length} accepted: ${reason}`);
for (const finding of refused) console.log(finding);
console.log(
  `${refused.length} breaking changes since the last release, ${changes.length - refused.filter((finding) => finding.startsWith('schema')).length} others in schema.graphql`,
);
process.exitCode = refused.length > 0 ? 1 : 0;
