// One PostgreSQL server that has all rows, or the embedded database.
import { LockMode } from '@mikro-orm/core';
import { propOf } from '../../records/metadata.ts';
import { POOLED, SERVING } from '../read-path/session.ts';
import type { Engine } from './engine.ts';

/** The engine of one server. */
export const oneServer: Engine = {
  session: SERVING,
  pooledSession: POOLED,
  nodeColumn: () => undefined,
  parents: (arrays) => `unnest(${arrays.join(', ')}) with ordinality`,
  begin: [],
  pendingCommits: undefined,
  settings: (own) => ({ own, statements: [] }),
  skipLocked: { mode: LockMode.PESSIMISTIC_PARTIAL_WRITE, sql: ' for update skip locked' },
  newRows: 'arrays',
  together: (parts) => [parts],
  async remove(run, { model, values, chosen }) {
    const { column } = propOf(model, model.key);
    const gone = await run<{ key: string }>(
      `delete from "${model.table}" where ctid = any(array(select t.ctid from ${chosen} for update skip locked)) returning "${column}"::text as key`,
      [...values],
    );
    return gone.map(({ key }) => key);
  },
  expectedRows: ([{ Plan: plan }]) => plan['Plan Rows'],
  place: async () => {},
};
