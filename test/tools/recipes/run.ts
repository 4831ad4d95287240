// Command `npm run recipes`: follows every recipe of CONTRIBUTING.md in a copy of the checkout, compiles the copy and runs the tests the recipes name.
// node test/tools/recipes/run.ts [--keep] [--edits] [title]…
// --keep leaves the copy, to look at; --edits makes the edits alone and compiles, as every CI run does; titles choose recipes, and then only their tests run
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { edit, type Recipe, recipesOf, StepError } from './steps.ts';

const root = join(import.meta.dirname, '../../..');
// The tests of the copy run on the embedded database, and record nothing: the published contracts lack what the recipes add.
const { DATABASE_URL: _url, RECORD_EXCHANGES: _exchanges, ...env } = process.env;
const { values: options, positionals: titles } = parseArgs({
  options: { keep: { type: 'boolean', default: false }, edits: { type: 'boolean', default: false } },
  allowPositionals: true,
});

/** The files git knows or would add, so that what is being worked on is checked too; packages are linked. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'gateway-recipes-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of new Set(files.split('\0')))
    if (file && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Runs a command in the copy; its output is part of the error. */
function run(copy: string, place: string, command: string): void {
  const [program = '', ...rest] = command.split(' ');
  const { status, stdout, stderr } = spawnSync(program, rest, { cwd: copy, env, encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
  if (status !== 0) throw new StepError(`${place}: ${command} failed\n${stdout}${stderr}`);
}

const FORMAT = 'npm run format';

/** Follows the steps of recipes, one recipe after the other. A command that a later recipe repeats is run there: it works on the whole checkout. */
function follow(copy: string, recipes: readonly Recipe[], withCommands: boolean): void {
  const steps = recipes.flatMap((recipe) => recipe.steps);
  for (const [index, { place, step }] of steps.entries()) {
    if (step.kind === 'test') {
      if (!existsSync(join(copy, step.file))) throw new StepError(`${place}: ${step.file} does not exist`);
    } else if (step.kind === 'run') {
      // The other commands build and start programs for three minutes.
      if (!withCommands && step.command !== FORMAT) continue;
      const isRepeated = steps.slice(index + 1).some((later) => later.step.kind === 'run' && later.step.command === step.command);
      if (!isRepeated) run(copy, place, step.command);
    } else edit(copy, step, place);
  }
}

interface FileResult {
  name: string;
  status: string;
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

/** The results of the test files, by path in the copy; of all files of the configuration when none are named. */
function test(copy: string, files: readonly string[]): Map<string, FileResult> {
  const report = join(copy, 'report.json');
  const config = 'test/tools/recipes/vitest.config.ts';
  const { stdout, stderr } = spawnSync(
    'npx',
    ['vitest', 'run', '--config', config, '--reporter=json', `--outputFile=${report}`, ...files],
    {
      cwd: copy,
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1_048_576,
    },
  );
  if (!existsSync(report)) throw new StepError(`the tests did not run\n${stdout}${stderr}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: FileResult[] };
  return new Map(testResults.map((result) => [relative(copy, result.name), result]));
}

/** Prints a line for a test file, with what failed; returns whether it passed. */
function show(name: string, result: FileResult | undefined): boolean {
  const passed = result?.status === 'passed' && result.assertionResults.some(({ status }) => status === 'passed');
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${name}`);
  if (passed) return true;
  const failures = result?.assertionResults.filter(({ status }) => status === 'failed') ?? [];
  for (const { fullName, failureMessages } of failures) console.log(`       ${fullName}\n${failureMessages.join('\n')}`);
  if (failures.length === 0) console.log(`       ${result?.message || 'no test ran'}`);
  return false;
}

function report(recipes: readonly Recipe[], results: Map<string, FileResult>): boolean {
  const passed: boolean[] = [];
  for (const { title, steps } of recipes) {
    for (const { step } of steps) {
      if (step.kind !== 'test') continue;
      passed.push(show(title, results.get(step.file)));
      results.delete(step.file);
    }
  }
  for (const [file, result] of results) passed.push(show(file, result));
  console.log(`${recipes.length} recipes, ${passed.filter((one) => !one).length} failures, ${(performance.now() / 1_000).toFixed(0)} s`);
  return passed.every(Boolean);
}

function main(): boolean {
  const copy = copyCheckout();
  try {
    const all = recipesOf(readFileSync(join(copy, 'CONTRIBUTING.md'), 'utf8'));
    const recipes = titles.length === 0 ? all : all.filter(({ title }) => titles.includes(title));
    const testsOf = (some: readonly Recipe[]): string[] =>
      some.flatMap(({ steps }) => steps.flatMap(({ step }) => (step.kind === 'test' ? [step.file] : [])));
    if (titles.some((title) => !all.some((recipe) => recipe.title === title)))
      throw new StepError(`the recipes are: ${all.map(({ title }) => title).join('; ')}`);
    for (const file of testsOf(all.filter((recipe) => !recipes.includes(recipe)))) rmSync(join(copy, file));
    follow(copy, recipes, !options.edits);
    run(copy, 'format and lint of the copy', 'npx biome check .');
    run(copy, 'types of the copy', 'npx tsc -p test/tools/recipes --noEmit');
    if (options.edits) console.log(`${recipes.length} recipes, their edits compiled`);
    return options.edits || report(recipes, test(copy, titles.length === 0 ? [] : testsOf(recipes)));
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    console.log(`FAIL ${error.message}`);
    return false;
  } finally {
    if (options.keep) console.log(copy);
    else rmSync(copy, { recursive: true, force: true });
  }
}

process.exitCode = main() ? 0 : 1;
