// THE list of background tasks. Each surface's file makes its own from the services; nothing is discovered by scanning.
import type { Services } from './core/context.ts';
import type { Task } from './core/queue.ts';
import { registrationDates } from './platform/registration-dates.ts';

/** Every task a process can work on. */
export const tasksOf = (services: Services): Task[] => [registrationDates(services)];
