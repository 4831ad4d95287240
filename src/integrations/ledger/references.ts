// The references of ledger record types, from their declarations: which fields name other records, by number and by the source's id.
import { inputType } from '../../graphql/input-types.ts';
import { modelOf, type Prop, type RecordClass, type Relation, typedTargets } from '../../records/metadata.ts';
import { type LedgerRecord, ledgerTypes, namesOf, recordOf } from './ledger-record.ts';

/** A property of a record type that names other records by number, with the input field that names them by the ids of the source. */
export interface Reference {
  prop: Prop;
  /** The input field: the relation of the property, `parent`, what a typed property is shown as, or the plural of what a list names. */
  field: string;
  /** Whether it names any number of records. */
  isList: boolean;
  /** The relation, where a write may contain the record itself. */
  nested?: Relation;
  /** Whether it names the parent of a child. */
  isParent: boolean;
  /** The property that says which type it names, where that differs from record to record. */
  typedBy?: string;
  /** The record types it can name. */
  targets: () => RecordClass<LedgerRecord>[];
}

/** The input type of every reference by the source's id. */
export const RecordReferenceInput = inputType(
  'RecordReferenceInput',
  'A stored record, named by its id in the source system of the company.',
  [
    {
      name: 'platformId',
      type: () => String,
      description: 'Id of the record in the source system.',
      nullable: false,
      rules: { minLength: 1, maxLength: 255, key: 'exact' },
    },
  ],
  { isReference: true },
);

const known = new Map<RecordClass<LedgerRecord>, Reference[]>();

/** The references of a record type; the property `parentId` of a child is one, whose type `parentType` names. */
export function referencesOf(target: RecordClass<LedgerRecord>): readonly Reference[] {
  let references = known.get(target);
  if (!references) {
    const { props, relations } = modelOf(target);
    const { parent } = namesOf(target);
    references = [...props.values()].flatMap((prop): Reference[] => {
      const isParent = parent.includes(prop.name);
      const { typedBy, shownAs } = prop;
      if (typedBy !== undefined) {
        const typed = { prop, isList: false, isParent, typedBy };
        if (isParent) return [{ ...typed, field: 'parent', targets: () => ownersOf(target) }];
        return shownAs === undefined ? [] : [{ ...typed, field: shownAs, targets: () => typedTypes(target, prop) }];
      }
      if (!prop.target) return [];
      const named = prop.target as () => RecordClass<LedgerRecord>;
      const relation = [...relations.values()].find(({ from }) => from === prop.name);
      const isList = prop.kind === 'list';
      const field = isList ? modelOf(named()).plural! : relation!.name;
      return [{ prop, field, isList, isParent, targets: () => [named()], ...(relation?.nested ? { nested: relation } : {}) }];
    });
    known.set(target, references);
  }
  return references;
}

/** The record types that the children of a type can belong to. */
const ownersOf = (child: RecordClass<LedgerRecord>): RecordClass<LedgerRecord>[] => {
  const { choices } = modelOf(child).props.get('parentType')!;
  return Object.keys(choices!.values).flatMap((name) => recordOf(name) ?? []);
};

/** The record types that a typed property can name. */
const typedTypes = (target: RecordClass<LedgerRecord>, prop: Prop): RecordClass<LedgerRecord>[] =>
  [...typedTargets(modelOf(target), prop).values()].map((model) => model.class as RecordClass<LedgerRecord>);

/** Every record type that others name, not as their parent. */
export const referencedTypes = (): RecordClass<LedgerRecord>[] => [
  ...new Set(ledgerTypes().flatMap((target) => referencesOf(target).flatMap(({ isParent, targets }) => (isParent ? [] : targets())))),
];

/** Every record type that lists of callers may name before it is stored. */
export const awaitedTypes = (): RecordClass<LedgerRecord>[] => [
  ...new Set(ledgerTypes().flatMap((target) => referencesOf(target).flatMap(({ prop, targets }) => (prop.mayBeOpen ? targets() : [])))),
];

const children = new Map<RecordClass<LedgerRecord>, Relation[]>();

/** The relations to the children of a record: those that it declares, and those of all others that can name it as their parent. */
export function childRelations(target: RecordClass<LedgerRecord>): readonly Relation[] {
  let relations = children.get(target);
  if (!relations) {
    const declared = [...modelOf(target).relations.values()].filter(({ owned }) => owned);
    const others = ledgerTypes().filter(
      (child) =>
        namesOf(child).parent.includes('parentType') && ownersOf(child).includes(target) && !declared.some((one) => one.target() === child),
    );
    relations = [...declared, ...others.map((child) => undeclared(child, namesOf(target).dataModel))];
    children.set(target, relations);
  }
  return relations;
}

/** The relation to children that no read shows with their parent. */
const undeclared = (child: RecordClass<LedgerRecord>, parentType: string): Relation => ({
  ...{ name: namesOf(child).many, description: `${namesOf(child).many} of the record.`, target: () => child },
  ...{ from: 'ledgerId', to: 'parentId', where: { parentType }, many: true, rest: 'never', owned: true, nested: false },
});

/** The relations whose records may be nested in a write of this record. */
export const nestedRelations = (target: RecordClass<LedgerRecord>): Relation[] =>
  [...modelOf(target).relations.values()].filter((relation) => relation.nested);

/** Whether the input of a nested record only names one: it has nothing but a platform id. */
export const isReference = (input: Record<string, unknown>): boolean => input.platformId != null && Object.keys(input).length === 1;

/** The record types, each after those that it refers to. Types that refer to each other are in the order given. */
export function inOrderOfReferences(targets: readonly RecordClass<LedgerRecord>[]): RecordClass<LedgerRecord>[] {
  const parts = new Map(targets.map((target) => [target, partsOf(target)]));
  const ordered = new Set<RecordClass<LedgerRecord>>();
  const begun = new Set<RecordClass<LedgerRecord>>();
  const place = (target: RecordClass<LedgerRecord>): void => {
    if (begun.has(target)) return;
    begun.add(target);
    const named = new Set(parts.get(target)!.flatMap(namedIn));
    for (const other of targets) if (parts.get(other)!.some((part) => named.has(part))) place(other);
    ordered.add(target);
  };
  for (const target of targets) place(target);
  return [...ordered];
}

/** A record type and those of the records it contains. */
const partsOf = (target: RecordClass<LedgerRecord>): RecordClass<LedgerRecord>[] => [
  target,
  ...nestedRelations(target).flatMap((relation) => (relation.owned ? partsOf(relation.target() as RecordClass<LedgerRecord>) : [])),
];

/** The record types that records of a type name, by number or by code; not those of their parents. */
const namedIn = (target: RecordClass<LedgerRecord>): RecordClass[] => [
  ...referencesOf(target).flatMap(({ isParent, targets }) => (isParent ? [] : targets())),
  ...[...modelOf(target).relations.values()].flatMap((relation) => (relation.to === 'code' ? [relation.target()] : [])),
];
