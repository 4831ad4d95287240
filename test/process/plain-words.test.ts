// The words and phrases that do not come back: in comments and strings of the code and of the tests, and in the documents.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packagePath } from '../../src/runtime/package-root.ts';

const words: [word: RegExp, instead: string][] = [
  [/\banew\b/i, 'again, re-created'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair, correct'],
  [/\bwhom?ever\b/i, 'anyone who, the person who'],
  [/\brepetitions?\b/i, 'retry'],
  [/\bbeside\b/i, 'next to, besides, in addition to'],
  [/\bby itself\b/i, 'on its own, automatically, individually'],
  [/\bbec(?:ame|omes?) of\b/i, 'outcome'],
  [/\bhand(?:s|ed|ing)? (?:in|over)\b/i, 'submit, pass'],
  [/\bhalf a surrogate\b/i, 'unpaired surrogate'],
  [/\bgathered\b/i, 'collected'],
  [/\brehears(?:al|e|ed|als)\b/i, 'dry run'],
  [/\b(?:survivors|arrivals)\b/i, 'remaining, arrived records'],
  [/\bend(?:ed|s)? well\b/i, 'succeeded'],
  [/\bheed(?:s|ed)?\b/i, 'take effect'],
  [/\b(?:exclude each other|run in a circle)\b/i, 'cannot be combined, form a cycle'],
  [/\bneeds? another look\b/i, 'please correct'],
  [/\bhear of\b/i, 'be notified of'],
  [/\bwith what of\b|\bwhat of it\b/i, 'with the part that'],
  [/\bMOST_[A-Z]/, 'MAX_…'],
  [/\b(?:underWay|FoldedInput|isPlannedAnew)\b/, 'inFlight, InputArgument, isReplanned'],
  [/\bmeanwhile\b/i, 'in the meantime'],
  [/\bsomebody\b/i, 'someone'],
  [/\bin words\b/i, 'as text, with a message'],
  [/\b(?:goes|go) on\b/i, 'continue'],
  [/\b(?:is|are|was|were|be) told\b|\btells\b/i, 'reported, notified; reports'],
  [/\bthat (?:is|are) none\b/i, 'invalid'],
  [/\b(?:is|are) refused (?:by|with)\b/i, 'rejected'],
];

/** Who is asked a question answers it: a person on a form, an authority about a registration or a tax number, an agent. HTTP and GraphQL have responses. */
const questions =
  /^(site\/forms|site\/apps\/app\/src\/onboarding|src\/platform\/(incorporation|registrations|tax-ids)|test\/platform|test\/(contract\/(forms|agent-questions)|(process|suites)\/cost)\.test\.ts|test\/examples\/subjects\.ts|test\/tools\/browser\/apps\.ts|src\/integrations\/connectors\/tryton\/errors\.ts)/;
const answerNames = /^(answers?|answersOf|answerOf|isAnswered|answered|unanswered|checkedAnswers|AuthorityAnswer|ANSWER_LASTS_MS)$/i;

const folders = ['src', 'rest-compat', 'site', 'docs', 'schema/client', 'test'];
/** Written by tools, or data of others that the gateway carries. */
const notOurs = /(^|\/)(node_modules|built|generated|__generated__)\/|\.generated\.ts$/;
/** Lists of words. */
const allowed = [/^test\/(process\/plain-words|contract\/named-words)\.test\.ts:/];

const files = folders
  .flatMap((folder) => readdirSync(packagePath(folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .concat(['README.md', 'CONTRIBUTING.md', 'schema/CHANGELOG.md'])
  .filter((file) => /\.(ts|tsx|md)$/.test(file) && !notOurs.test(file));

it('texts are in the words of the field', () => {
  const found = files.flatMap((file) =>
    readFileSync(packagePath(file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        words
          .filter(([word]) => word.test(line) && !allowed.some((place) => place.test(`${file}:${line}`)))
          .map(([, instead]) => `${file}:${index + 1} ${line.trim().slice(0, 100)}   (instead: ${instead})`),
      ),
  );
  expect(found).toEqual([]);
});

it('names and texts call a response of HTTP and GraphQL a response', () => {
  const found = files.flatMap((file) =>
    readFileSync(packagePath(file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(/\w*answer\w*/gi)]
          .filter(([name]) => !(questions.test(file) && answerNames.test(name)) && !allowed.some((place) => place.test(`${file}:`)))
          .map(([name]) => `${file}:${index + 1} ${name}`),
      ),
  );
  expect(found).toEqual([]);
});
