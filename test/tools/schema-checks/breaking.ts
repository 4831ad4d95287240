// Compares the contracts in schema/ with those of the last release in schema/released/; fails on a change that breaks callers, and on a changelog
// that does not name what has changed.
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { headingOf, packageVersion, readReleases, UNRELEASED, unnamedIn, wordsBelow } from './changelog.ts';
import { changesOf } from './changes.ts';
import { readContracts, releasedFolder, schemaFolder } from './contracts.ts';
import { breakingChanges } from './openapi-diff.ts';

/** Breaking changes since the last release that were decided on, with the reason. The CHANGELOG announces them. */
const accepted: { change: RegExp; reason: string }[] = [
  {
    change: /^integrations\.json: GET \S+\/(connections|imports|attachments): parameter query sort\[ledger_\w+_at\] removed$/,
    reason: 'these lists have no order by times, and returned 500 for the parameter',
  },
];

const [released, present] = [readContracts(releasedFolder), readContracts(schemaFolder)];
const findings = (await diff(released.schema, present.schema))
  .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
  .map(({ message }) => `schema.graphql: ${message}`);
for (const [name, document] of present.documents) {
  const former = released.documents.get(name);
  if (former) findings.push(...breakingChanges(former, document).map((finding) => `${name}: ${finding}`));
}
const refused = findings.filter((finding) => !accepted.some(({ change }) => change.test(finding)));
for (const { change, reason } of accepted) console.log(`${findings.filter((finding) => change.test(finding)).length} accepted: ${reason}`);

const [last, ...before] = readReleases();
const wrong = [
  ...(last?.version === packageVersion()
    ? []
    : [`schema/changes.json does not begin with ${packageVersion()}, the version of package.json`]),
  ...(last?.contracts === released.digest ? [] : ['schema/released/ has other contracts than the last release of schema/changes.json']),
  ...unnamedIn(wordsBelow(UNRELEASED), await changesOf(released, present)).map((name) => `the changelog does not name ${name}`),
];
for (const release of last ? [last, ...before] : [])
  wrong.push(
    ...unnamedIn(wordsBelow(headingOf(release)), release).map((name) => `the changelog of ${release.version} does not name ${name}`),
  );

for (const finding of [...refused, ...wrong]) console.log(finding);
console.log(`${refused.length} breaking changes since ${last?.version}, ${wrong.length} gaps in the changelog`);
process.exitCode = refused.length + wrong.length > 0 ? 1 : 0;
