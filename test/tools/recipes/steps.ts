// The recipes of CONTRIBUTING.md as data: each numbered item of a recipe is one step, in one of the forms below.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Step =
  | { kind: 'add'; file: string; where: 'above' | 'below'; anchor: string; code: string }
  | { kind: 'replace'; file: string; text: string; by: string }
  | { kind: 'create'; file: string; code: string }
  | { kind: 'run'; command: string }
  | { kind: 'test'; file: string };

export interface Recipe {
  title: string;
  /** Each step with its place in the document, such as `Add a setting, step 2`. */
  steps: { place: string; step: Step }[];
}

type Groups = Record<string, string>;

/** The forms of a step; those with code are followed by a fenced block. */
const forms: { pattern: RegExp; step: (groups: Groups, code: string | undefined) => Step | undefined }[] = [
  {
    pattern: /^In `(?<file>[^`]+)`, (?<where>above|below) `(?<anchor>[^`]+)`, add:$/,
    step: ({ file, where, anchor }, code) =>
      code === undefined ? undefined : { kind: 'add', file: file!, where: where as 'above' | 'below', anchor: anchor!, code },
  },
  {
    pattern: /^In `(?<file>[^`]+)`, replace `(?<text>[^`]+)` with `(?<by>[^`]+)`\.$/,
    step: ({ file, text, by }, code) => (code === undefined ? { kind: 'replace', file: file!, text: text!, by: by! } : undefined),
  },
  {
    pattern: /^Create `(?<file>[^`]+)`:$/,
    step: ({ file }, code) => (code === undefined ? undefined : { kind: 'create', file: file!, code }),
  },
  {
    pattern: /^Run `(?<command>npm run [^`]+)`\.$/,
    step: ({ command }, code) => (code === undefined ? { kind: 'run', command: command! } : undefined),
  },
  {
    pattern: /^Write a test like `(?<file>[^`]+)`\.$/,
    step: ({ file }, code) => (code === undefined ? { kind: 'test', file: file! } : undefined),
  },
];

/** Thrown for a step that cannot be followed; the message names recipe and step. */
export class StepError extends Error {}

/** The code of the fenced block of an item, without the indentation of the list; undefined without a block. */
function codeOf(item: string): string | undefined {
  const block = /\n( *)```\w*\n([\s\S]*?)\n\1```/.exec(item);
  if (!block) return undefined;
  const [, indentation, code] = block;
  const lines = code!.split('\n').map((line) => (line.startsWith(indentation!) ? line.slice(indentation!.length) : line));
  return `${lines.join('\n')}\n`;
}

function stepOf(item: string, place: string): Step {
  const sentence = item.split('\n', 1)[0]!.trim();
  for (const { pattern, step } of forms) {
    const match = pattern.exec(sentence);
    const read = match && step(match.groups!, codeOf(item));
    if (read) return read;
  }
  throw new StepError(`${place} has none of the known forms: ${sentence}`);
}

/** Every recipe of the document, in its order. */
export function recipesOf(markdown: string): Recipe[] {
  const [, section = ''] = markdown.split(/^## Recipes$/m);
  return section
    .split(/^### /m)
    .slice(1)
    .map((text) => {
      const title = text.split('\n', 1)[0]!.trim();
      const items = text.split(/^\d+\. /m).slice(1);
      const steps = items.map((item, index) => {
        const place = `${title}, step ${index + 1}`;
        return { place, step: stepOf(item, place) };
      });
      if (steps.at(-1)?.step.kind !== 'test') throw new StepError(`${title} ends without a test`);
      return { title, steps };
    });
}

/** The one position of a text in a file. */
function positionOf(content: string, text: string, place: string, file: string): number {
  const parts = content.split(text);
  if (parts.length === 2) return parts[0]!.length;
  throw new StepError(`${place}: ${file} has ${parts.length - 1} places with ${text}, where one is needed`);
}

function contentOf(root: string, file: string, place: string): string {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    throw new StepError(`${place}: ${file} does not exist`);
  }
}

/** Carries out a step that edits files below a root. */
export function edit(root: string, step: Exclude<Step, { kind: 'run' | 'test' }>, place: string): void {
  const path = join(root, step.file);
  if (step.kind === 'create') {
    mkdirSync(dirname(path), { recursive: true });
    try {
      writeFileSync(path, step.code, { flag: 'wx' });
    } catch {
      throw new StepError(`${place}: ${step.file} exists already`);
    }
    return;
  }
  const content = contentOf(root, step.file, place);
  if (step.kind === 'replace') {
    const at = positionOf(content, step.text, place, step.file);
    writeFileSync(path, content.slice(0, at) + step.by + content.slice(at + step.text.length));
    return;
  }
  const at = positionOf(content, step.anchor, place, step.file);
  const start = step.where === 'above' ? content.lastIndexOf('\n', at) + 1 : content.indexOf('\n', at) + 1;
  writeFileSync(path, content.slice(0, start) + step.code + content.slice(start));
}
