// The documentation of a running gateway as data: what the pages show, and what agents search and read.
import { readFileSync } from 'node:fs';
import type { DemoKeys } from '../../src/demo/demo.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import type { AdapterOptions } from '../../src/server/app.ts';
import { pagesModel } from './gateway-model.ts';
import { type Guide, readGuides } from './guides.ts';
import type { PagesModel } from './parts/model.ts';
import { type Search, searchOver } from './search.ts';

/** The version of the gateway. */
export const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };

/** The documentation of one gateway. */
export interface Documentation {
  readonly model: PagesModel;
  readonly guides: readonly Guide[];
  readonly search: Search;
}

/** The documentation of the gateway with these parts; every caller gets the same. */
export type DocumentationOf = (options: Pick<AdapterOptions, 'schema' | 'services'>) => Documentation;

/** Makes the documentation once. Pass demo keys only when demo data is on, because the pages show them to everybody. */
export function documentationWith(demo: DemoKeys | null): DocumentationOf {
  let made: Documentation | undefined;
  return ({ schema, services }) => (made ??= documentationOf(pagesModel(schema, services, demo, version)));
}

function documentationOf(model: PagesModel): Documentation {
  const guides = readGuides();
  return { model, guides, search: searchOver(model, guides) };
}
