// Builders of integrations data: a company with a key, and a record of any type with every plain field filled.

import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { modelOf, type Prop, type RecordClass, type Relation, writableProps } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import type { Gateway } from './gateway.ts';

export interface TestCompany {
  id: number;
  key: string;
  headers: { api_key: string };
  /** Base path of the company's records. */
  base: string;
}

/** A company of a new organisation, with a key that sees all of it. */
export async function buildCompany(gateway: Gateway, overrides: { name?: string; key?: string } = {}): Promise<TestCompany> {
  const key = overrides.key ?? (await gateway.key(['INTEGRATIONS']));
  const response = await gateway.send('POST', '/v4/core/companies', {
    headers: { api_key: key },
    body: { data: { name: overrides.name ?? 'Test company' } },
  });
  const id = response.body.data.ledger_id as number;
  return { id, key, headers: { api_key: key }, base: `/v4/core/companies/${id}` };
}

const samples: Partial<Record<Prop['kind'], (prop: Prop) => unknown>> = {
  text: (prop) => `${prop.name} text`,
  integer: () => 7,
  amount: () => 12.34,
  flag: () => true,
  moment: () => '2026-03-01T10:20:30.000Z',
  date: () => '2026-03-01',
  json: () => ({ free: ['form', 1] }),
  list: () => ['one', 2],
  enumeration: (prop) => Object.keys(prop.choices!.values)[0],
};

/** A write body with every field filled that names no other record. */
export function sampleBody(target: RecordClass): Record<string, unknown> {
  const filled = writableProps(target).flatMap((prop): [string, unknown][] => {
    const sample = prop.target || prop.name === 'parentId' ? undefined : samples[prop.kind]?.(prop);
    return sample === undefined ? [] : [[snakeCase(prop.name), sample]];
  });
  return { ...Object.fromEntries(filled), platform_id: `${modelOf(target).table}-1` };
}

/** The children to write with their parent: the given one, and a line that balances it where the parent has to balance. */
export const balanced = ({ whole }: Relation, child: Record<string, unknown>): Record<string, unknown>[] =>
  whole ? [child, { ...child, platform_id: 'other', total_amount: -Number(child.total_amount) }] : [child];

/** REST name of the list of a record type. */
export const listName = (target: RecordClass): string => snakeCase(namesOf(target).many);
