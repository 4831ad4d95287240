// Compares the contracts in schema/ with those of the last release in schema/released/; fails on a change that breaks callers.
// node breaking.ts [--release]   (--release makes the current contracts and migrations the released ones)
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { breakingChanges } from './openapi-diff.ts';

/** Breaking changes since the last release that were decided on, with the reason. The CHANGELOG announces them. */
const accepted: { change: RegExp; reason: string }[] = [
  {
    change: /^schema\.graphql: Argument 'exact: Boolean' was removed from field 'Query\.(auditLog|organisations)'/,
    reason: 'these lists have no `totalCount`, so the argument did nothing',
  },
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
