// The write input of a ledger record: its writable properties and, inside it, the inputs of the records that may be nested.
import { type InputClass, type InputField, inputField, inputType, writableProps } from '../../graphql/input-types.ts';
import { modelOf, type RecordClass, type Relation } from '../../records/metadata.ts';

const inputs = new Map<RecordClass, InputClass>();

/** The relations of a record that a write of it may carry inside. */
export const nestedRelations = (target: RecordClass): Relation[] =>
  [...modelOf(target).relations.values()].filter((relation) => relation.nested);

/** What a read of a record can show that a write of it does not take: related records, and what only storing makes. */
function echoesOf(target: RecordClass): string[] {
  const { props, relations } = modelOf(target);
  return [
    ...[...relations.values()].filter((relation) => !relation.nested),
    ...[...props.values()].filter((prop) => prop.write === 'never' && !prop.hidden),
  ].map(({ name }) => name);
}

/** The input type of a record, made once. Every field may be left out: an update keeps what is absent, null clears. */
export function recordInput(target: RecordClass): InputClass {
  let input = inputs.get(target);
  if (!input) {
    const model = modelOf(target);
    const fields = writableProps(target).map((prop) => inputField(prop, true));
    const nested = nestedRelations(target).map((relation): InputField => {
      const type = (): unknown => recordInput(relation.target());
      const description = relation.owned
        ? `${relation.description} Given, they replace the ones stored; left out, those stay.`
        : `${relation.description} Given here, it is created or updated first and linked.`;
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
