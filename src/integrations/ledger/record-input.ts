// The write input of a ledger record: its writable properties and, inside it, the inputs of the records that may be nested.
import { type InputClass, type InputField, inputField, inputType, writableProps } from '../../graphql/input-types.ts';
import { modelOf, type RecordClass, type Relation } from '../../records/metadata.ts';

const inputs = new Map<RecordClass, InputClass>();

/** The relations whose records may be nested in a write of this record. */
export const nestedRelations = (target: RecordClass): Relation[] =>
  [...modelOf(target).relations.values()].filter((relation) => relation.nested);

/** Fields that a read returns and a write does not take: relations that cannot be nested, and values the server sets. */
function echoesOf(target: RecordClass): string[] {
  const { props, relations } = modelOf(target);
  return [
    ...[...relations.values()].filter((relation) => !relation.nested),
    ...[...props.values()].filter((prop) => prop.write === 'never' && !prop.hidden),
  ].map(({ name }) => name);
}

/** The input type of a record, built once. Every field is optional: an update keeps absent fields and clears those given as null. */
export function recordInput(target: RecordClass): InputClass {
  let input = inputs.get(target);
  if (!input) {
    const model = modelOf(target);
    const fields = writableProps(target).map((prop) => inputField(prop, true));
    const nested = nestedRelations(target).map((relation): InputField => {
      const type = (): unknown => recordInput(relation.target());
      const description = relation.owned
        ? `${relation.description} When given, they replace the stored ones; when left out, those stay.`
        : `${relation.description} When given, it is created or updated first and linked.`;
      return { name: relation.name, type: relation.many || relation.wrapped ? () => [type()] : type, description, nullable: true };
    });
    input = inputType(
      `${model.name}Input`,
      `${model.description} Fields left out keep their value on update; null clears.`,
      [...fields, ...nested],
      { asGiven: true, echoes: echoesOf(target) },
    );
    inputs.set(target, input);
  }
  return input;
}
