// The routes of the platform records that declare their operations: the same six for each, with what the interface document says of some.
import { corporations } from '../../src/platform/corporations/resolver.ts';
import { products } from '../../src/platform/products/resolver.ts';
import { type Resource, withArticle } from '../../src/platform/shared/resource.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { nounOf } from '../../src/records/not-found.ts';
import { resources } from '../../src/registry.ts';
import { only400, page, platformRoute, summaryRoute } from './platform.ts';
import { body, path, query, type Route } from './route.ts';

type Operation = 'create' | 'list' | 'summary' | 'read' | 'update' | 'delete';

/** What the interface document says of the routes of a record that it has. */
interface Documented {
  /** Those that document 400 as their only error status. */
  only400: readonly Operation[];
  /** Whether a list returns the number of records. */
  total?: true;
  /** The summary of the deletion, where it does more. */
  deletion?: string;
}

const documented = new Map<Resource, Documented>([
  [corporations, { only400: ['create', 'update'], total: true, deletion: 'Archive a corporation with its products and registrations' }],
  [products, { only400: ['create', 'list', 'summary', 'read', 'update', 'delete'] }],
]);

/** The routes of a record. */
function routesOf(resource: Resource): Route[] {
  const { record, one, many, owner } = resource;
  const known = documented.get(resource);
  const noun = nounOf(record);
  const a = withArticle(noun);
  const label = noun[0]!.toUpperCase() + noun.slice(1);
  const labels = owner ? `the ${noun}s of ${withArticle(nounOf(owner.record))}` : `${noun}s`;
  const address = `/${snakeCase(many)}`;
  const single = `${address}/{id}`;
  const id = path('id');
  const ofOwner: Route['args'] = owner ? { [owner.property]: query(snakeCase(owner.property)) } : {};
  const of = (operation: Operation) => ({
    documented: known !== undefined,
    ...(known?.only400.includes(operation) ? { statuses: only400 } : {}),
  });
  return [
    platformRoute('POST', address, {
      ...of('create'),
      summary: `Create ${a}`,
      root: `create${record.name}`,
      result: one,
      args: { input: body() },
      envelope: { kind: 'data' },
      status: known ? 200 : 201,
      message: `${label} created`,
    }),
    platformRoute('GET', address, {
      ...of('list'),
      summary: `List ${labels}`,
      root: many,
      result: 'nodes',
      ledgerQuery: 'conditions',
      args: { ...ofOwner, ...page },
      envelope: { kind: 'list', name: snakeCase(many), ...(known?.total ? { total: true } : {}) },
      status: 200,
      message: `${label}s listed`,
    }),
    summaryRoute(address, labels, many, ofOwner, of('summary').statuses),
    platformRoute('GET', single, {
      ...of('read'),
      summary: `Read ${a}`,
      root: one,
      args: { id },
      envelope: { kind: 'data' },
      status: 200,
      message: `${label} found`,
    }),
    platformRoute('POST', single, {
      ...of('update'),
      summary: `Change ${a}`,
      root: `update${record.name}`,
      result: one,
      args: { id, input: body() },
      envelope: { kind: 'message' },
      status: 200,
      message: `${label} updated`,
    }),
    platformRoute('DELETE', single, {
      ...of('delete'),
      summary: known?.deletion ?? `Delete ${a}`,
      root: `delete${record.name}`,
      result: one,
      args: { id },
      envelope: { kind: 'empty' },
      status: 204,
    }),
  ];
}

export const resourceRoutes: Route[] = resources.flatMap(routesOf);
