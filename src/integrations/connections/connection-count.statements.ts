// How many connections to sources are in each state, over all organisations.
import type { Services } from '../../access/context.ts';

/** The number of connections by status, as the metrics show them. */
export async function connectionsByStatus({ database }: Pick<Services, 'database'>): Promise<[status: string, number: number][]> {
  const rows = await database.read({ name: 'connections_by_status', text: 'select status, count(*) from connection group by status' }, []);
  return rows.map(([status, number]) => [status!, Number(number)]);
}
