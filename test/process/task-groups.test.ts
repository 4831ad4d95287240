// Every task of the gateway: either one organisation has at most half of its workers, or the task says why it has no group.
import { expect, test } from 'vitest';
import type { Services } from '../../src/access/context.ts';
import { workersOf, workersOfOne } from '../../src/queue/queue.ts';
import { schedules, tasksOf } from '../../src/tasks.ts';

const tasks = tasksOf({} as Services);

test.each(tasks.filter(({ ungrouped }) => !ungrouped))('$name leaves half of its workers to other organisations', (task) => {
  expect(workersOf(task)).toBeGreaterThan(1);
  expect(workersOfOne(task) * 2).toBeLessThanOrEqual(workersOf(task));
});

test('only schedules work for no organisation', () => {
  const ungrouped = tasks.filter((task) => task.ungrouped).map(({ name }) => name);
  expect(ungrouped.toSorted()).toEqual(schedules.map(({ name }) => name).toSorted());
});
