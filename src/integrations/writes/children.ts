// The children in the write of a record: the stored ones that they mean, and their places.
import type { EntityManager } from '../../database/open.ts';
import { invalid } from '../../records/errors.ts';
import { modelOf, propOf, type RecordClass, type Relation } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf, POSITION } from '../ledger/ledger-record.ts';
import { type Change, type CurrentRecord, changeOf, contentKey, fieldOf, type RecordInput, refuse, type WriteScope } from './change.ts';
import { occursTwice } from './natural-keys.ts';
import { lockedParent, type Parents } from './parents.ts';
import { readStored } from './record.statements.ts';
import { anotherParent } from './references.ts';

/** The stored children of records, by the number of their parent, in their order. */
export async function readSiblings(
  em: EntityManager,
  scope: WriteScope,
  relation: Relation,
  parents: readonly Change[],
): Promise<Map<unknown, CurrentRecord[]>> {
  const ids = parents.flatMap(({ stored }) => stored?.ledgerId ?? []);
  if (ids.length === 0) return new Map();
  const model = modelOf(relation.target());
  const where = Object.entries(relation.where ?? {}).map(([name, value]) => ` and ${propOf(model, name).column} = '${value}'`);
  const rows = await readStored(em, scope, model, `${propOf(model, relation.to).column} = any($3::bigint[])${where.join('')}`, [ids]);
  return Map.groupBy(rows.sort(byPlace), (row) => row[relation.to]);
}

const byPlace = (one: CurrentRecord, other: CurrentRecord): number =>
  Number(one[POSITION]) - Number(other[POSITION]) || one.ledgerId - other.ledgerId;

/** The children that a record will have, as changes: of children that are named by their numbers or ids, and of new ones. */
export function nestedChanges(
  scope: WriteScope,
  relation: Relation,
  parent: Change,
  inputs: readonly RecordInput[],
  siblings: readonly CurrentRecord[],
): Change[] {
  const target = relation.target() as RecordClass<LedgerRecord>;
  const unnamed = new Set(siblings);
  const byNumber = new Map<unknown, CurrentRecord>(siblings.map((sibling) => [sibling.ledgerId, sibling]));
  const ofSource = siblings.filter(({ ledgerIntegrationType }) => ledgerIntegrationType === scope.company.integrationType);
  const byPlatformId = new Map<unknown, CurrentRecord>(ofSource.map((sibling) => [sibling.platformId, sibling]));
  const seen = new Set<unknown>();
  return inputs.map((entry, index) => {
    const { id, platformId } = entry;
    const own: RecordInput = { ...relation.where, [relation.to]: parent.ledgerId };
    const input = { ...entry, ...own, id: undefined, [POSITION]: undefined };
    const change = changeOf(input, `${fieldOf(parent, relation.name)}[${index}]`, { parent });
    change.unnamed = unnamed;
    const other = Object.keys(own).find((name) => entry[name] != null && entry[name] !== own[name]);
    if (other) refuse(scope, change, anotherParent(change, other));
    if (id == null && platformId == null) return change;
    const stored = id == null ? byPlatformId.get(platformId) : byNumber.get(id);
    const field = fieldOf(change, 'id');
    if (!stored && id != null) {
      const label = namesOf(target).dataModel.toLowerCase().replaceAll('_', ' ');
      refuse(scope, change, invalid(field, `${field} ${id} names no ${label} of this record`, 'NOT_FOUND'));
    } else if (stored && platformId != null && platformId !== stored.platformId) {
      const name = fieldOf(change, 'platformId');
      refuse(scope, change, invalid(name, `${name} cannot be changed`));
    } else if (stored && !unnamed.delete(stored)) refuse(scope, change, occursTwice(change, id == null ? 'platformId' : 'id'));
    else if (platformId != null && seen.has(platformId)) refuse(scope, change, occursTwice(change, 'platformId'));
    seen.add(platformId ?? stored?.platformId);
    change.stored = stored;
    change.ledgerId = stored?.ledgerId ?? 0;
    return change;
  });
}

/**
 * Matches nested children without a name to stored ones with the same content that no other child names. A record that is sent again then changes
 * nothing.
 */
export function matchContents(target: RecordClass<LedgerRecord>, changes: readonly Change[]): void {
  const model = modelOf(target);
  const known = new Map<Set<CurrentRecord>, Map<string, CurrentRecord[]>>();
  for (const change of changes) {
    const { unnamed, input, values, stored } = change;
    if (!unnamed || unnamed.size === 0 || stored || change.error || input.platformId != null) continue;
    let byContent = known.get(unnamed);
    if (!byContent) {
      byContent = Map.groupBy(unnamed, (sibling) => contentKey(model, sibling));
      known.set(unnamed, byContent);
    }
    const alike = byContent.get(contentKey(model, values))?.shift();
    if (!alike) continue;
    unnamed.delete(alike);
    change.stored = alike;
    change.ledgerId = alike.ledgerId;
    values.platformId = alike.platformId;
    values.dataHash = alike.dataHash;
  }
}

/**
 * Gives children their places. In a write of their parent these are the order sent. Otherwise it is the given place, the place that they have, or the
 * last one.
 */
export function placeChildren(target: RecordClass<LedgerRecord>, changes: readonly Change[], parents: Parents): void {
  const live = changes.filter(({ error }) => !error);
  for (const [parent, children] of Map.groupBy(live, (change) => change.parent))
    if (parent) placeNested(children);
    else for (const child of children) placeAlone(target, child, parents);
}

/** Children that are in their order already keep their places, and new ones behind them follow; otherwise they are numbered. */
function placeNested(children: readonly Change[]): void {
  const kept = children.filter(({ stored }) => stored);
  const isOrdered = kept.every(
    (child, place) => child === children[place] && (place === 0 || byPlace(kept[place - 1]!.stored!, child.stored!) < 0),
  );
  const end = isOrdered ? kept.at(-1)?.stored : undefined;
  let last = Math.floor(Number(end?.[POSITION] ?? 0));
  for (const [place, { values, stored: old }] of children.entries())
    values[POSITION] = isOrdered && place < kept.length ? old![POSITION] : ++last;
}

function placeAlone(target: RecordClass<LedgerRecord>, { input, values, stored }: Change, parents: Parents): void {
  if (input[POSITION] != null) return;
  const parent = lockedParent(parents, target, values);
  const hasMoved = namesOf(target).parent.some((name) => values[name] !== (stored?.[name] ?? null));
  if (stored && !hasMoved) values[POSITION] = stored[POSITION];
  else if (parent) {
    parent.last = Math.floor(parent.last) + 1;
    values[POSITION] = parent.last;
  } else values[POSITION] = 0;
}
