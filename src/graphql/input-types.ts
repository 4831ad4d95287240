// Input types made from record declarations: the write input of a record and the filter input of its lists.
import { type ArgOptions, createParameterDecorator, Extensions, Field, InputType } from 'type-graphql';
import type { EnumDefinition } from '../records/enums.ts';
import {
  type FilterOperator,
  filterOperators,
  graphqlType,
  type InputRules,
  modelOf,
  type Prop,
  type RecordClass,
} from '../records/metadata.ts';

// biome-ignore lint/suspicious/noExplicitAny: instances of generated input classes are read by property name.
export type InputClass = new () => any;

export interface InputField {
  name: string;
  type: () => unknown;
  description: string;
  nullable: boolean;
  rules?: InputRules;
  jsonName?: string;
}

export interface InputOptions {
  /** Text is trimmed before it is checked. */
  trims?: boolean;
  /** Arguments of this type are declared with `GivenArg`. */
  asGiven?: boolean;
  /** Names of read-only fields of the record, which a client may send back as it read them. */
  echoes?: string[];
}

/** Where `guardSchema` stores the arguments whose types are declared `asGiven`. */
export const GIVEN = Symbol('given');

/**
 * An argument that the resolver gets as the input coercer returned it. type-graphql copies every other argument into instances of its input
 * classes, which took 25 of the 60 ms for a batch of 1,000 records with 5 lines each.
 */
export const GivenArg = (name: string, typeFunc: () => unknown, options: ArgOptions): ParameterDecorator =>
  createParameterDecorator(({ args }) => (args as { [GIVEN]: Record<string, unknown> })[GIVEN][name], {
    arg: { name, typeFunc: typeFunc as never, options },
  }) as ParameterDecorator;

/** Makes an input type from a list of fields. */
export function inputType(name: string, description: string, fields: InputField[], options: InputOptions = {}): InputClass {
  const target = { [name]: class {} }[name] as InputClass;
  for (const field of fields) {
    Field(field.type as never, { description: field.description, nullable: field.nullable })(target.prototype, field.name);
    const extensions = { ...(field.rules ? { rules: field.rules } : {}), ...(field.jsonName ? { jsonName: field.jsonName } : {}) };
    if (Object.keys(extensions).length > 0) Extensions(extensions)(target.prototype, field.name);
  }
  InputType(name, { description })(target as never);
  if (options.trims || options.asGiven || options.echoes) Extensions({ ...options })(target as never);
  return target;
}

/** The input field of a writable property. */
export const inputField = (prop: Prop, nullable: boolean): InputField => ({
  name: prop.name,
  type: prop.input ?? graphqlType(prop),
  description: prop.description,
  nullable,
  ...(prop.rules ? { rules: prop.rules } : {}),
});

/** The writable properties of a record. */
export const writableProps = (target: RecordClass): Prop[] =>
  [...modelOf(target).props.values()].filter((prop) => prop.write !== 'never' && !prop.hidden);

const operatorTexts: Record<FilterOperator, string> = {
  eq: 'Equal to this value.',
  in: 'Equal to any of these values, at most 100.',
  gte: 'At or after this value.',
  lte: 'At or before this value.',
};

const operatorInputs = new Map<string, InputClass>();

/** The `{ eq, in, gte, lte }` input of a kind of value; all fields of that kind share one input type. */
function operatorInput(prop: Prop): InputClass {
  const operators = filterOperators(prop);
  const base = baseName(prop);
  const name = `${base}Filter`;
  let input = operatorInputs.get(name);
  if (!input) {
    const type = graphqlType(prop);
    input = inputType(
      name,
      `Conditions on a ${base} value; those given must all hold.`,
      operators.map((operator) => ({
        name: operator,
        type: operator === 'in' ? () => [type()] : type,
        description: operatorTexts[operator],
        nullable: true,
        ...(operator === 'in' ? { rules: { maxItems: 100, minItems: 1 } } : {}),
        ...(operator === 'lte' && prop.kind === 'moment' ? { rules: { endOfDay: true } } : {}),
      })),
    );
    operatorInputs.set(name, input);
  }
  return input;
}

const kindNames: Partial<Record<Prop['kind'], string>> = {
  text: 'Text',
  id: 'Id',
  ledgerId: 'LedgerId',
  integer: 'Int',
  flag: 'Boolean',
  moment: 'DateTime',
  date: 'LocalDate',
};
const baseName = (prop: Prop): string => (prop.choices as EnumDefinition | undefined)?.name ?? kindNames[prop.kind] ?? 'Text';

/** The filter input of the lists of a record. */
export function filterInput(target: RecordClass): InputClass {
  const model = modelOf(target);
  const filterable = [...model.props.values()].filter((prop) => filterOperators(prop).length > 0);
  return inputType(
    `${model.name}Filter`,
    `Which records of a list to return; conditions on different fields must all hold.`,
    filterable
      .map((prop) => ({ prop, input: operatorInput(prop) }))
      .map(({ prop, input }) => ({
        name: prop.name,
        type: () => input,
        description: `Condition on \`${prop.name}\`. ${prop.description}`,
        nullable: true,
      })),
  );
}
