// THE list of background tasks. Each surface's file makes its own from the services; nothing is discovered by scanning.
import type { Services } from './core/context.ts';
import type { Task } from './core/queue.ts';
import { fileTasks } from './core/stored-file.ts';
import { deliveryTasks } from './core/webhooks/deliver.ts';
import { batchTasks } from './integrations/batch.ts';
import { pullTask } from './integrations/pull.ts';
import { importTasks } from './platform/import-task.ts';
import { registrationDates } from './platform/registration-dates.ts';
import { ledgerRecords } from './registry.ts';

/** Every task a process can work on. */
export const tasksOf = (services: Services): Task[] =>
  [
    ...deliveryTasks(services),
    ...fileTasks(services),
    ...batchTasks(services, ledgerRecords),
    pullTask(services, ledgerRecords),
    ...importTasks(services),
    registrationDates(services),
  ] as unknown as Task[];
