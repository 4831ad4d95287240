// Commands `distribute` and `undistribute`: place the tables of companies on the workers of a Citus cluster, or bring them back.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { DistributedEngine } from '../database/engine/engine.ts';
import { distributedEngines } from '../database/engines.ts';
import { schemaState } from '../database/migrations/state.ts';
import { entities } from '../registry.ts';
import { type Printer, progressBar } from './print.ts';
import { onStore } from './store.ts';

async function run({ distribute }: DistributedEngine, config: Config, printer: Printer, undo: boolean, dryRun: boolean): Promise<void> {
  const url = config.directUrl ?? config.databaseUrl;
  if (!url) throw new Error('DATABASE_URL is not set: the embedded database is on one machine');
  const { pending } = await onStore(config, schemaState);
  if (pending.length > 0) throw new Error('migrations are pending: run migrate first');
  const bar = progressBar();
  const steps: string[] = [];
  await distribute(url, entities, {
    undo,
    dryRun,
    onStep({ what }, index, count) {
      steps.push(what);
      bar.show(index, count);
    },
  }).finally(() => bar.end());
  printer.result(
    { steps, dryRun },
    steps.length > 0 ? steps.map((what) => `${dryRun ? 'would ' : ''}${what}`).join('\n') : 'nothing to do',
  );
}

/** Adds the commands of the engines that place tables on several nodes. */
export function distributionCommands(program: Command, config: Config, printer: Printer): void {
  for (const engine of distributedEngines) {
    const command = (name: string, description: string, undo: boolean): void => {
      program
        .command(name)
        .description(`${description}, while the gateways are stopped; one that was interrupted continues where it ended`)
        .option('--dry-run', 'change nothing; print the steps that are left', false)
        .action(({ dryRun }: { dryRun: boolean }) =>
          run(engine, config, printer, undo, dryRun).catch((error: Error) => program.error(error.message)),
        );
    };
    command('distribute', 'place the tables of companies on the workers of a Citus cluster', false);
    command('undistribute', 'bring the tables of companies back to the coordinator', true);
  }
}
