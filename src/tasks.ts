// THE list of background tasks, of schedules and of watches. Each entry is named here; nothing is discovered by scanning.
import type { Services } from './access/context.ts';
import { goingBy } from './address/iso/in-force.ts';
import { isoRegister } from './address/iso/register.ts';
import { auditRetention, auditSealing } from './administration/audit-chain.ts';
import { fileTasks } from './files/stored-file.ts';
import { idempotencyKeyRetention } from './http/idempotency.ts';
import { requestRetention } from './http/request-history.ts';
import { attachmentRetention } from './integrations/attachments/retention.ts';
import { LedgerTransaction } from './integrations/books/ledger-transaction.ts';
import { signInRevocation } from './integrations/connections/revocation.ts';
import { companyRemoval } from './integrations/disconnects/removal.ts';
import { nexusCheck, nexusSchedule } from './integrations/nexus/known-state.ts';
import { inboxRetention, jobRetention, rawDataRetention, syncRetention } from './integrations/retention/sync-retention.ts';
import { batchTasks } from './integrations/syncs/batch.ts';
import { connectionRun, connectionSchedule } from './integrations/syncs/connection-schedule.ts';
import { pullTask } from './integrations/syncs/pull.ts';
import { pushTask } from './integrations/syncs/push.ts';
import { importRetention } from './platform/products/imports/retention.ts';
import { importTasks } from './platform/products/imports/task.ts';
import { registrationDates } from './platform/registrations/dates.ts';
import { Registration } from './platform/registrations/registration.ts';
import { taxIdVerification } from './platform/tax-ids/task.ts';
import { deletedRecordRetention } from './queue/deleted-record-retention.ts';
import type { Task } from './queue/queue.ts';
import { type Schedule, scheduleTask } from './queue/schedules.ts';
import type { Watch } from './queue/watches.ts';
import { ledgerRecords, resources } from './registry.ts';
import { deliveryLogRetention } from './webhooks/delivery-log-retention.ts';

/** Work that every process looks for. */
export const watches: readonly Watch[] = [auditSealing, connectionSchedule];

/** Work that runs at regular intervals. */
export const schedules: readonly Schedule[] = [
  {
    name: 'retention',
    // The shortest retention is a day.
    everyMs: 600_000,
    chores: [
      deliveryLogRetention,
      idempotencyKeyRetention,
      syncRetention,
      jobRetention,
      inboxRetention,
      importRetention,
      auditRetention,
      requestRetention,
    ],
  },
  {
    name: 'daily',
    // What no index finds.
    everyMs: 86_400_000,
    chores: [
      rawDataRetention,
      attachmentRetention,
      deletedRecordRetention([...ledgerRecords, LedgerTransaction, Registration, ...resources.map(({ record }) => record)]),
      nexusSchedule,
    ],
  },
];

/** Every task a process can run. Each goes by the ISO 3166 content of its gateway. */
export const tasksOf = (services: Services): Task[] =>
  tasks(services).map((task) => ({
    ...task,
    handler: (payload, job) => goingBy(services.caches.of(isoRegister), () => task.handler(payload, job)),
  }));

const tasks = (services: Services): Task[] => [
  ...fileTasks(services),
  ...batchTasks(services, ledgerRecords),
  pullTask(services, ledgerRecords),
  connectionRun(services),
  pushTask(services),
  ...importTasks(services),
  registrationDates(services),
  taxIdVerification(services),
  companyRemoval(services),
  signInRevocation(services),
  nexusCheck(services),
  ...schedules.map((schedule) => scheduleTask(services, schedule)),
];
