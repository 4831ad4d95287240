// THE list of background tasks and of what comes round by the clock. Each surface's file makes its own from the services; nothing is discovered by scanning.
import type { Services } from './core/context.ts';
import { deletedRecordSweep } from './core/deleted-records.ts';
import { idempotencySweep } from './core/idempotency.ts';
import { operatorActionSweep } from './core/operator-trace.ts';
import type { Task } from './core/queue.ts';
import { fileTasks } from './core/stored-file.ts';
import { type Sweep, sweepTask } from './core/sweeps.ts';
import { deliveryTasks } from './core/webhooks/deliver.ts';
import { deliverySweep } from './core/webhooks/sweep.ts';
import { batchTasks } from './integrations/batch.ts';
import { pullTask } from './integrations/pull.ts';
import { inboxSweep, syncSweep } from './integrations/retention.ts';
import { Corporation } from './platform/corporation.ts';
import { importSweep } from './platform/import-retention.ts';
import { importTasks } from './platform/import-task.ts';
import { Product } from './platform/product.ts';
import { Registration } from './platform/registration.ts';
import { registrationDates } from './platform/registration-dates.ts';
import { ledgerRecords } from './registry.ts';

/** What comes round by the clock. */
export const sweeps: readonly Sweep[] = [
  deliverySweep,
  idempotencySweep,
  syncSweep,
  inboxSweep,
  importSweep,
  operatorActionSweep,
  deletedRecordSweep([...ledgerRecords, Product, Registration, Corporation]),
];

/** Every task a process can work on. */
export const tasksOf = (services: Services): Task[] =>
  [
    ...deliveryTasks(services),
    ...fileTasks(services),
    ...batchTasks(services, ledgerRecords),
    pullTask(services, ledgerRecords),
    ...importTasks(services),
    registrationDates(services),
    ...sweeps.map((sweep) => sweepTask(services, sweep)),
  ] as unknown as Task[];
