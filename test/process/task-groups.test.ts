// Every task of the gateway: either two organisations never have all of its workers, or the task says why it has no group.
import { expect, test } from 'vitest';
import type { Services } from '../../src/access/context.ts';
import { workersOf, workersOfOne } from '../../src/queue/queue.ts';
import { schedules, tasksOf } from '../../src/tasks.ts';

const tasks = tasksOf({} as Services);

test.each(tasks.filter(({ ungrouped }) => !ungrouped))('$name leaves a worker to a third organisation', (task) => {
  expect(workersOfOne(task) * 2).toBeLessThan(workersOf(task));
});

test('only schedules work for no organisation', () => {
  const ungrouped = tasks.filter((task) => task.ungrouped).map(({ name }) => name);
  expect(ungrouped.toSorted()).toEqual(schedules.map(({ name }) => name).toSorted());
});
