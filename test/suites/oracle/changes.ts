// One change of a record of each kind that subscriptions follow, made together as one document.
import { type DocumentNode, parse } from 'graphql';
import { ledgerGlobalId } from '../../../src/records/ids.ts';
import type { Model } from '../../../src/records/metadata.ts';
import { ledgerRecords } from '../../../src/registry.ts';

/** The text that is changed of a record, by the first of these that its type has. */
const TEXTS = ['memo', 'description', 'name', 'legalName'];

interface Changed {
  model: Model;
  id: string;
  /** Global id of its company, where it has one. */
  company: string | undefined;
  text: string;
}

/** The records that are changed, and the one that is changed last. */
export interface Changes {
  records: Changed[];
  last: Changed;
}

/** A record of each kind that has an update of its own, and the corporation that is changed last. */
export function changedRecords(ids: ReadonlyMap<Model, readonly unknown[]>, companies: ReadonlyMap<Model, number>): Changes {
  const changed = [...ids].flatMap(([model, keys]): Changed[] => {
    const text = TEXTS.find((name) => model.props.has(name));
    const isRecord = ledgerRecords.some((target) => target === model.class) && model.props.has('status');
    if (keys[0] === undefined || !text || !(isRecord || ['Product', 'Webhook', 'Corporation'].includes(model.name))) return [];
    const id = typeof keys[0] === 'number' ? ledgerGlobalId(model.prefix, keys[0]) : String(keys[0]);
    return [{ model, id, company: isRecord ? ledgerGlobalId('company', companies.get(model)!) : undefined, text }];
  });
  const last = { ...changed.find(({ model }) => model.name === 'Corporation')!, text: 'legalName' };
  return { records: [...changed.filter(({ model }) => model.name !== 'Corporation'), last], last };
}

let count = 0;

/** Another change of the records, and a subscription that reports the last of them. */
export function changeOf({ records, last }: Changes): { change: DocumentNode; reported: DocumentNode } {
  const value = JSON.stringify(`Change ${++count}`);
  const fields = records.map(({ model: { name }, id, company, text }, at) => {
    const within = company ? `companyId: "${company}", ` : '';
    return `c${at}: update${name}(input: { ${within}id: "${id}", ${text}: ${value} }) { errors { message } }`;
  });
  return {
    change: parse(`mutation { ${fields.join(' ')} }`),
    reported: parse(`subscription { corporationChanged(id: "${last.id}") { nodeId } }`),
  };
}
