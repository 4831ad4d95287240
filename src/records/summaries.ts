// What a summary of records can group by and aggregate, and which currency its amounts are in. All of it follows from the declarations.
import { allModels, type KindName, listUse, type Model, type Prop, type Relation } from './metadata.ts';

/** Kinds whose values form groups. Texts do too when lists are indexed by them; the others have nearly as many values as there are records. */
const groupedKinds = new Set<KindName>(['country', 'uuid', 'id', 'ledgerId', 'flag', 'enumeration', 'moment', 'date']);
const numberKinds = new Set<KindName>(['amount', 'integer']);
const momentKinds = new Set<KindName>(['moment', 'date']);

/** Whether the values of a property are grouped by the day, week, month, quarter or year they are in. */
export const isBucketed = (prop: Prop): boolean => momentKinds.has(prop.kind);

const shown = (model: Model): Prop[] => [...model.props.values()].filter((prop) => listUse(prop) !== 'never' && !prop.isPlace);

/** The properties that records can be grouped by; the currency of the parent is one of them for records whose amounts are in it. */
export function groupProps(model: Model): Prop[] {
  const own = shown(model).filter(
    (prop) => prop.name !== model.key && (groupedKinds.has(prop.kind) || (prop.kind === 'text' && listUse(prop) === 'indexed')),
  );
  const currency = currencyOf(model);
  return currency && !own.includes(currency.prop) ? [...own, currency.prop] : own;
}

/** The properties that have a sum and an average. */
export const sumProps = (model: Model): Prop[] => shown(model).filter(({ kind }) => numberKinds.has(kind));

/** The properties that have a smallest and a largest value. */
export const extremeProps = (model: Model): Prop[] => shown(model).filter((prop) => numberKinds.has(prop.kind) || isBucketed(prop));

/** A record type that owns others, which are in its currency. */
export interface CurrencyParent {
  model: Model;
  /** The relation from the parent to the records. */
  relation: Relation;
}

/** The currency of the amounts of a record: its own property, or with `parents` that of the record it belongs to. */
export interface CurrencySource {
  prop: Prop;
  parents: readonly CurrencyParent[];
}

const ownCurrency = (model: Model): Prop | undefined => [...model.props.values()].find(({ isCurrency }) => isCurrency);

const sources = new WeakMap<Model, { source: CurrencySource | undefined }>();

/** Where the currency of a record's amounts is stored; undefined for a record without one. Called once every record is declared. */
export function currencyOf(model: Model): CurrencySource | undefined {
  let known = sources.get(model);
  if (!known) {
    known = { source: findCurrency(model) };
    sources.set(model, known);
  }
  return known.source;
}

function findCurrency(model: Model): CurrencySource | undefined {
  const own = ownCurrency(model);
  if (own) return { prop: own, parents: [] };
  if (![...model.props.values()].some(({ kind, isMoney }) => kind === 'amount' && isMoney !== false)) return undefined;
  const parents = allModels().flatMap((parent) =>
    ownCurrency(parent)
      ? [...parent.relations.values()]
          .filter(({ owned, target }) => owned && target() === model.class)
          .map((relation) => ({ model: parent, relation }))
      : [],
  );
  const [first] = parents;
  return first && { prop: { ...ownCurrency(first.model)!, description: 'ISO 4217 code of the currency of the parent.' }, parents };
}

/** Whether a property is money in a currency that differs from record to record. */
export const isMoney = (model: Model, prop: Prop): boolean =>
  prop.kind === 'amount' && prop.isMoney !== false && currencyOf(model) !== undefined;
