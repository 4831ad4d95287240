// The chapters of docs/operations and the commands in them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../docs/operations');

const FENCE = /^```sh\n([\s\S]*?)^```$/gm;

/** The blocks of commands of a chapter, in their order: from its heading to the next one of any level. */
export function commandsOf(page: string, title: string): string[] {
  const chapters = readFileSync(join(folder, page), 'utf8').split(/^(?=#{2,3} )/m);
  const chapter = chapters.find((text) => text.startsWith(`## ${title}\n`) || text.startsWith(`### ${title}\n`));
  const blocks = [...(chapter ?? '').matchAll(FENCE)].map(([, block]) => block!);
  if (blocks.length === 0) throw new Error(`${page} has no commands under "${title}"`);
  return blocks;
}
