// The write input of a ledger record: its writable properties and, inside it, the inputs of the records that may be nested.
import { ID } from 'type-graphql';
import { type InputClass, type InputField, inputField, inputType } from '../../graphql/input-types.ts';
import { modelOf, type RecordClass, writableProps } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf } from './ledger-record.ts';
import { nestedRelations, RecordReferenceInput, referencesOf } from './references.ts';

/** The REST name of the member that names a stored child. */
export const CHILD_ID = 'ledger_id';

const inputs = new Map<RecordClass<LedgerRecord>, InputClass>();

/** Fields that a read returns and a write does not take: relations that cannot be nested, and values the server sets. */
function roundTripsOf(target: RecordClass<LedgerRecord>): string[] {
  const { props, relations } = modelOf(target);
  return [
    ...[...relations.values()].filter((relation) => !relation.nested),
    ...[...props.values()].filter((prop) => prop.write === 'never' && !prop.hidden),
    { name: 'integrityIssues' },
  ].map(({ name }) => name);
}

/** The fields with the codes of the records that a read shows next to them. */
const codesOf = (target: RecordClass<LedgerRecord>): Record<string, string> =>
  Object.fromEntries([...modelOf(target).relations.values()].flatMap(({ name, from, to }) => (to === 'code' ? [[name, from]] : [])));

/** The fields that name records by the ids of the source, in addition to the properties that name them by number. */
const referenceFields = (target: RecordClass<LedgerRecord>): InputField[] =>
  referencesOf(target).flatMap(({ prop, field, isList, nested }): InputField[] => {
    const description = `${isList ? 'Records' : 'Record'} of \`${prop.name}\`, named by \`platformId\`${prop.mayBeOpen ? '; unknown ones are kept until they arrive' : ''}.`;
    return nested
      ? []
      : [
          {
            name: field,
            type: () => (isList ? [RecordReferenceInput] : RecordReferenceInput),
            description,
            nullable: true,
            numberedBy: prop.name,
          },
        ];
  });

/** The fields of a write of a record: its writable properties, and the records that may be nested in it or named by the id of the source. */
function inputFields(target: RecordClass<LedgerRecord>): InputField[] {
  const references = referencesOf(target);
  const nested = nestedRelations(target).map((relation): InputField => {
    const type = (): object => recordInput(relation.target());
    const description = relation.owned
      ? `${relation.description} Replaces the whole list.`
      : `${modelOf(relation.target()).name} to create, update or link.`;
    const numberedBy = references.find(({ nested: named }) => named === relation)?.prop.name;
    return {
      name: relation.name,
      type: relation.many || relation.wrapped ? () => [type()] : type,
      description,
      nullable: true,
      ...(numberedBy ? { numberedBy } : {}),
    };
  });
  return [...writableProps(target).map((prop) => inputField(target, prop, true)), ...referenceFields(target), ...nested];
}

/** The input type of a record of a bulk update: the stored record that is meant, and the fields to change. */
export function changeInput(target: RecordClass<LedgerRecord>, ifMatch: string): InputClass {
  const model = modelOf(target);
  const named: InputField[] = [
    { name: 'id', type: () => ID, description: 'Id of the record.', nullable: false, names: () => [model] },
    { name: 'ifMatch', type: () => String, description: ifMatch, nullable: true },
  ];
  return inputType(`${model.name}ChangeInput`, `Fields to change of one record: ${model.description}`, [...named, ...inputFields(target)]);
}

/** The field that names a stored child. A mutation of one child names it by a member of its own. */
const childId = (target: RecordClass<LedgerRecord>): InputField => ({
  name: 'id',
  type: () => ID,
  description: 'Id of the stored record to update. Without it and without `platformId`, the record is new.',
  nullable: true,
  jsonName: CHILD_ID,
  names: () => [modelOf(target)],
  isOwnId: true,
});

/** The input type of a record, built once. Every field is optional: an update keeps absent fields and clears those given as null. */
export function recordInput(target: RecordClass<LedgerRecord>): InputClass {
  let input = inputs.get(target);
  if (!input) {
    const model = modelOf(target);
    const { parent, standsIn } = namesOf(target);
    const isChild = parent.length > 0;
    input = inputType(
      `${model.name}Input`,
      `${model.description} An update keeps omitted fields; null clears.`,
      [...(isChild ? [childId(target)] : []), ...inputFields(target)],
      {
        roundTrips: roundTripsOf(target),
        codedBy: codesOf(target),
        standsIn,
        ...(isChild ? {} : { ownNumber: { name: CHILD_ID, names: () => [model] } }),
      },
    );
    inputs.set(target, input);
  }
  return input;
}
