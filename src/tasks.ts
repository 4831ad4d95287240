// THE list of background tasks. Each surface's file makes its own from the services; nothing is discovered by scanning.
import type { Services } from './core/context.ts';
import type { Task } from './core/queue.ts';
import { deliveryTasks } from './core/webhooks/deliver.ts';
import { batchTasks } from './integrations/batch.ts';
import { pullTask } from './integrations/pull.ts';
import { ledgerRecords } from './registry.ts';

/** Every task a process can work on. */
export const tasksOf = (services: Services): Task[] => [...deliveryTasks(services), ...batchTasks(services, ledgerRecords), pullTask(services, ledgerRecords)];
