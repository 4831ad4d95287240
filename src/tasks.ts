// THE list of background tasks and of what comes round by the clock. Each surface's file makes its own from the services; nothing is discovered by scanning.
import type { Services } from './access/context.ts';
import { operatorActionSweep } from './administration/audit-log.ts';
import { fileTasks } from './files/stored-file.ts';
import { idempotencySweep } from './http/idempotency.ts';
import { batchTasks } from './integrations/syncs/batch.ts';
import { pullTask } from './integrations/syncs/pull.ts';
import { inboxSweep, syncSweep } from './integrations/syncs/retention.ts';
import { Corporation } from './platform/corporations/corporation.ts';
import { importSweep } from './platform/products/imports/retention.ts';
import { importTasks } from './platform/products/imports/task.ts';
import { Product } from './platform/products/product.ts';
import { registrationDates } from './platform/registrations/dates.ts';
import { Registration } from './platform/registrations/registration.ts';
import { deletedRecordSweep } from './queue/deleted-record-retention.ts';
import type { Task } from './queue/queue.ts';
import { type Schedule, scheduleTask } from './queue/schedules.ts';
import { ledgerRecords } from './registry.ts';
import { deliveryTasks } from './webhooks/deliver.ts';
import { deliveryLogRetention } from './webhooks/delivery-log-retention.ts';

/** What comes round by the clock. */
export const schedules: readonly Schedule[] = [
  deliveryLogRetention,
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
    ...schedules.map((schedule) => scheduleTask(services, schedule)),
  ] as unknown as Task[];
