// THE list of background tasks. Each surface's file makes its own from the services; nothing is discovered by scanning.
import type { Services } from './core/context.ts';
import type { Task } from './core/queue.ts';
import { type Sweep, sweepTask } from './core/sweeps.ts';
import { deliveryTasks } from './core/webhooks/deliver.ts';
import { deliverySweep } from './core/webhooks/sweep.ts';

/** What comes round by the clock. */
export const sweeps: readonly Sweep[] = [deliverySweep];

/** Every task a process can work on. */
export const tasksOf = (services: Services): Task[] => [...deliveryTasks(services), ...sweeps.map((sweep) => sweepTask(services, sweep))];
