// THE list of background tasks and of schedules. Each entry is named here; nothing is discovered by scanning.
import type { Services } from './access/context.ts';
import { operatorActionRetention } from './administration/audit-log.ts';
import { fileTasks } from './files/stored-file.ts';
import { idempotencyKeyRetention } from './http/idempotency.ts';
import { batchTasks } from './integrations/syncs/batch.ts';
import { pullTask } from './integrations/syncs/pull.ts';
import { inboxRetention, syncRetention } from './integrations/syncs/retention.ts';
import { Corporation } from './platform/corporations/corporation.ts';
import { importRetention } from './platform/products/imports/retention.ts';
import { importTasks } from './platform/products/imports/task.ts';
import { Product } from './platform/products/product.ts';
import { registrationDates } from './platform/registrations/dates.ts';
import { Registration } from './platform/registrations/registration.ts';
import { deletedRecordRetention } from './queue/deleted-record-retention.ts';
import type { Task } from './queue/queue.ts';
import { type Schedule, scheduleTask } from './queue/schedules.ts';
import { ledgerRecords } from './registry.ts';
import { deliveryTasks } from './webhooks/deliver.ts';
import { deliveryLogRetention } from './webhooks/delivery-log-retention.ts';

/** Work that runs at regular intervals. */
export const schedules: readonly Schedule[] = [
  deliveryLogRetention,
  idempotencyKeyRetention,
  syncRetention,
  inboxRetention,
  importRetention,
  operatorActionRetention,
  deletedRecordRetention([...ledgerRecords, Product, Registration, Corporation]),
];

/** Every task a process can run. */
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
