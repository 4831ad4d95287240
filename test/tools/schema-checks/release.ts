// Makes the present contracts and migrations the released ones, under the version of package.json and the present day: node release.ts
// The changelog gets its heading, and schema/changes.json what the contracts have changed. A release that has the same version is replaced.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGELOG, headingOf, packageVersion, RELEASES, type Release, readReleases, UNRELEASED } from './changelog.ts';
import { changesOf } from './changes.ts';
import { readContracts, releasedFolder, schemaFolder } from './contracts.ts';

const present = readContracts(schemaFolder);
const version = packageVersion();
const release: Release = {
  version,
  day: new Date().toISOString().slice(0, 10),
  contracts: present.digest,
  ...(await changesOf(readContracts(releasedFolder), present)),
};
const others = readReleases().filter((other) => other.version !== version);
writeFileSync(RELEASES, `${JSON.stringify([release, ...others], null, 1)}\n`);
writeFileSync(CHANGELOG, readFileSync(CHANGELOG, 'utf8').replace(`${UNRELEASED}\n`, `${headingOf(release)}\n`));

cpSync(join(schemaFolder, 'schema.graphql'), join(releasedFolder, 'schema.graphql'));
cpSync(join(schemaFolder, 'openapi'), join(releasedFolder, 'openapi'), { recursive: true });
const digestOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(schemaFolder, 'migrations', file)))
    .digest('hex');
const migrations = readdirSync(join(schemaFolder, 'migrations')).sort();
writeFileSync(join(releasedFolder, 'migrations.sha256'), migrations.map((file) => `${digestOf(file)}  ${file}\n`).join(''));
