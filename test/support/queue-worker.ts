// A worker process for the crash test: works until no job is left, unless it is killed before. Arguments: schema, directory.
import { effectTask, openQueueDatabase, startQueue, until } from './queue-database.ts';

const [schema, directory] = process.argv.slice(2);
const database = await openQueueDatabase(schema, directory);
const task = effectTask(database, String(process.pid), { batch: 5 });
const queue = await startQueue(database, [
  {
    ...task,
    async handler(payload, job) {
      process.stdout.write('.');
      await task.handler(payload, job);
    },
  },
]);
await until(async () => {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { ready, deferred, active } = (await queue.depth()).effect!;
  return ready + deferred + active === 0;
});
await queue.stop(5_000);
await database.orm.close();
