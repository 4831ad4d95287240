// Mounts the pages for people in front of the paths that programs use.
import { readFileSync } from 'node:fs';
import type { Door } from '../src/app.ts';
import { packagePath } from '../src/core/package-root.ts';
import type { DemoKeys } from '../src/demo.ts';
import { pagesHandler } from './pages/pages.ts';
import { pagesModel } from './pages-model.ts';

const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };

/** The pages; demo keys are shown on them to everybody, so they are given only where demo data is on. */
export const pagesDoor =
  (demo: DemoKeys | null): Door =>
  (app, kit) => {
    app.use(pagesHandler(pagesModel(kit.schema, kit.services, demo, version)));
  };
