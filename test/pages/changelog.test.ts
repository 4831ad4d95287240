// The changelog: its releases by version and day, each with what the contracts have changed.
import { expect, it } from 'vitest';
import { releases } from '../../site/pages/changelog.ts';
import { programVersion } from '../../src/runtime/package-root.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();

it('the newest release has the version of the program, and each has a heading with its day', async () => {
  const { text } = await gateway.send('GET', '/docs/changelog.md');
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading).filter((heading) => heading !== 'Unreleased');
  expect(headings).toEqual(releases().map(({ version, day }) => `${version} (${day})`));
  expect(releases()[0]!.version).toBe(programVersion);
  expect((await gateway.send('GET', '/healthz')).body.version).toBe(programVersion);
});

it('a release names every member that its contracts gained, deprecated and lost, below its heading', async () => {
  const { text } = await gateway.send('GET', '/docs/changelog.md');
  const sections = text.split(/^(?=## )/m);
  for (const { version, day, graphql, rest } of releases()) {
    const section = sections.find((found) => found.startsWith(`## ${version} (${day})\n`))!;
    const lines = section.split('\n').filter((line) => line.startsWith('- `'));
    for (const [name, members] of [graphql, rest].flatMap(({ added, deprecated, removed }) =>
      [added, deprecated, removed].flatMap(Object.entries),
    ))
      expect(
        lines.some((line) => [name, ...members].every((part) => line.includes(`\`${part}\``))),
        `${version} ${name}`,
      ).toBe(true);
    for (const change of [...graphql.changed, ...rest.changed]) expect(section).toContain(`- ${change}`);
  }
});

it('the page shows what the Markdown has', async () => {
  const [page] = [await gateway.send('GET', '/docs/changelog', { headers: { accept: 'text/html' } })];
  for (const { version, day } of releases()) expect(page.text).toContain(`${version} (${day})</h2>`);
});
