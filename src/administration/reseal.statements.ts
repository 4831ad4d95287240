// The statements that find texts which are sealed under another key, and replace them.
import { type EntityManager, executeIn } from '../database/open.ts';
import type { Model, Prop } from '../records/metadata.ts';

/** A sealed text, and the owner it is sealed for. */
export interface SealedRow {
  text: string;
  owner: string;
}

/** The owner of a sealed text: the values of the properties that its column names. */
const ownerOf = ({ props }: Model, { sealed }: Prop): string =>
  sealed!.map((name) => `t."${props.get(name)!.column}"::text`).join(" || ' ' || ");

/** How a sealed text begins. */
const SEALED = '^v(1|2[.][[:alnum:]_-]{8})[.]';

/** Some texts of a column that are sealed under another key than the one with this prefix, in the order of their owners. */
export function otherSeals(
  em: EntityManager,
  model: Model,
  prop: Prop,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
): Promise<SealedRow[]> {
  const owner = ownerOf(model, prop);
  return executeIn(
    em,
    `select t."${prop.column}" as text, ${owner} as owner from "${model.table}" t
     where t."${prop.column}" ~ '${SEALED}' and not starts_with(t."${prop.column}", $1) and (${owner}) collate "C" > $2
     order by (${owner}) collate "C" limit $3`,
    [prefix, after, limit],
  );
}

/** Some sealed texts of a column, as a statement without values. */
export const someSeals = (model: Model, prop: Prop, limit: number): string =>
  `select t."${prop.column}" as text, ${ownerOf(model, prop)} as owner from "${model.table}" t where t."${prop.column}" ~ '${SEALED}' limit ${limit}`;

/** Replaces a sealed text unless it was changed since it was read; returns whether it did. */
export async function replaceSeal(
  em: EntityManager,
  model: Model,
  prop: Prop,
  { text, owner }: SealedRow,
  sealed: string,
): Promise<boolean> {
  const rows = await executeIn(
    em,
    `update "${model.table}" t set "${prop.column}" = $1 where ${ownerOf(model, prop)} = $2 and t."${prop.column}" = $3 returning 1`,
    [sealed, owner, text],
  );
  return rows.length > 0;
}
