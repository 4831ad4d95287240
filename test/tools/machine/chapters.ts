// The chapters of docs/operations.md and the commands in them.
import { readFileSync } from 'node:fs';

const FENCE = /^```sh\n([\s\S]*?)^```$/gm;

/** The blocks of commands of a chapter, in their order: from its heading to the next one of any level. */
export function commandsOf(document: string, title: string): string[] {
  const chapters = readFileSync(document, 'utf8').split(/^(?=#{2,3} )/m);
  const chapter = chapters.find((text) => text.startsWith(`## ${title}\n`) || text.startsWith(`### ${title}\n`));
  const blocks = [...(chapter ?? '').matchAll(FENCE)].map(([, block]) => block!);
  if (blocks.length === 0) throw new Error(`${document} has no commands under "${title}"`);
  return blocks;
}
