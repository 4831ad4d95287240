// Input types made from record declarations: the inputs of new and changed records, and the parts that every input type is made of.
import { Arg, type ArgOptions, createParameterDecorator, Extensions, Field, ID, InputType } from 'type-graphql';
import { declaredProps } from '../records/decorators.ts';
import {
  graphqlType,
  type InputRules,
  isNeeded,
  isWritable,
  modelOf,
  type NamedRecords,
  namedBy,
  type Prop,
  type RecordClass,
  writableProps,
} from '../records/metadata.ts';

// biome-ignore lint/suspicious/noExplicitAny: instances of generated input classes are read by property name.
export type InputClass = new () => any;

export interface InputField {
  name: string;
  type: () => object;
  /** None for a member that is named like a described property of its record. */
  description?: string;
  nullable: boolean;
  /** The value that the schema states for an absent field. */
  defaultValue?: unknown;
  rules?: InputRules;
  jsonName?: string;
  /** The record types of which it, or each of its members, names one. */
  names?: NamedRecords;
  /** It names the record itself, where the record is one of a list. */
  isOwnId?: boolean;
  /** The field that names the same record by its number, or the same records by theirs. */
  numberedBy?: string;
  /** Only GraphQL has it. */
  graphqlOnly?: boolean;
  /** The typed field that takes its place in GraphQL, where it is deprecated. */
  supersededBy?: string;
}

export interface InputOptions {
  /** Text is trimmed before it is checked. */
  trims?: boolean;
  /** Names of read-only fields of the record, which a client may send back as it read them. */
  roundTrips?: string[];
  /** The REST name of the number of the record itself, which is no field of the type, and the type of the record. */
  ownNumber?: { name: string; names: NamedRecords };
  /** The field with the code of each record that a read shows next to it, by the name of that record. */
  codedBy?: Record<string, string>;
  /** Exactly one of the fields is given. */
  isOneOf?: boolean;
  /** Reads show a computed record in the place of one that the company does not have. */
  standsIn?: boolean;
  /** It names a stored record, which a client may send back instead as it read it. */
  isReference?: boolean;
}

/** The records that the arguments of a method name, by argument. */
type ArgumentNames = Record<string, NamedRecords>;

const namesOfArguments = new WeakMap<object, Map<string, ArgumentNames>>();

/** What the arguments of a method name, which the decorators of its parameters fill one by one. */
function argumentNames(prototype: object, method: string): ArgumentNames {
  const ofMethods = namesOfArguments.get(prototype) ?? new Map<string, ArgumentNames>();
  namesOfArguments.set(prototype, ofMethods);
  let names = ofMethods.get(method);
  if (!names) {
    names = {};
    ofMethods.set(method, names);
    Extensions({ names })(prototype, method);
  }
  return names;
}

/** An argument of which the resolver gets what `read` makes of it. */
export const ReadArg = (name: string, typeFunc: () => object, options: ArgOptions, read: (value: unknown) => unknown): ParameterDecorator =>
  createParameterDecorator(({ args }) => read((args as Record<string, unknown>)[name]), {
    arg: { name, typeFunc, options },
  }) as ParameterDecorator;

/** An argument that names a record by its number; callers may give its global id. The resolver gets the number. */
export const RecordArg =
  (name: string, record: () => RecordClass, options: ArgOptions): ParameterDecorator =>
  (prototype, method, index) => {
    Arg(name, () => ID, options)(prototype, method!, index);
    argumentNames(prototype, String(method))[name] = () => [modelOf(record())];
  };

/** The same for an argument of an input type whose ids name records of one type. */
export const RecordsArg =
  (name: string, record: () => RecordClass, type: () => object, options: ArgOptions): ParameterDecorator =>
  (prototype, method, index) => {
    Arg(name, type, options)(prototype, method!, index);
    argumentNames(prototype, String(method))[name] = () => [modelOf(record())];
  };

/** Makes an input type from a list of fields. */
export function inputType(name: string, description: string, fields: InputField[], options: InputOptions = {}): InputClass {
  const target = inputClass(name);
  declareInput(target, description, fields, options);
  return target;
}

/** The class of an input type that `declareInput` declares later, for types that contain each other. */
export const inputClass = (name: string): InputClass => ({ [name]: class {} })[name] as InputClass;

/** Declares the fields of an input type. */
export function declareInput(target: InputClass, description: string, fields: InputField[], options: InputOptions = {}): void {
  for (const field of fields) {
    const { description: text, nullable, defaultValue, supersededBy } = field;
    Field(field.type, {
      ...(text ? { description: text } : {}),
      nullable: nullable || supersededBy !== undefined,
      ...(defaultValue === undefined ? {} : { defaultValue }),
      ...(supersededBy
        ? { deprecationReason: `Use \`${supersededBy}\`, whose shape the schema knows; this field goes with the next release.` }
        : {}),
    })(target.prototype, field.name);
    const { rules, jsonName, names, isOwnId, numberedBy, graphqlOnly } = field;
    const extensions = {
      ...(rules ? { rules } : {}),
      ...(jsonName ? { jsonName } : {}),
      ...(names ? { names } : {}),
      ...(isOwnId ? { isOwnId } : {}),
      ...(numberedBy ? { numberedBy } : {}),
      ...(graphqlOnly ? { graphqlOnly } : {}),
      ...(supersededBy && !nullable ? { isRestRequired: true } : {}),
    };
    if (Object.keys(extensions).length > 0) Extensions(extensions)(target.prototype, field.name);
  }
  InputType(target.name, { description })(target);
  if (options.trims || options.roundTrips || options.isOneOf || options.isReference) Extensions({ ...options })(target);
}

/** The description of a property with the limit of its length, which some state on their own. */
const withLength = ({ description, rules }: Prop): string =>
  rules?.maxLength === undefined || /\d characters/.test(description)
    ? description
    : `${description} At most ${rules.maxLength} characters.`;

/** The input field of a writable property. */
export const inputField = (record: RecordClass, prop: Prop, nullable: boolean): InputField => ({
  name: prop.name,
  type: prop.input ?? graphqlType(prop),
  description: withLength(prop),
  nullable,
  ...(prop.rules ? { rules: prop.rules } : {}),
  ...(prop.jsonName ? { jsonName: prop.jsonName } : {}),
  names: namedBy(record, prop),
});

/** How the input of a platform record differs from `Create<Record>Input` and `Update<Record>Input` with its writable properties. */
interface RecordInputOptions extends InputOptions {
  name?: string;
  /** Fields that are no property of the record. */
  more?: InputField[];
}

interface CreateInputOptions extends RecordInputOptions {
  /** Properties whose fallback the schema states as the default value. */
  defaults?: readonly string[];
}

/** The input of a new record or embedded object: its writable properties. Those that a new one needs are non-null. */
export const createInput = (
  target: RecordClass,
  description: string,
  { name = `Create${target.name}Input`, more = [], trims = true, defaults = [] }: CreateInputOptions = {},
): InputClass => {
  const props = declaredProps(target).filter(isWritable);
  const fields = props.map((prop): InputField => {
    const field = { ...inputField(target, prop, !isNeeded(prop)), description: prop.createDescription ?? prop.description };
    return defaults.includes(prop.name) ? { ...field, nullable: false, defaultValue: prop.fallback } : field;
  });
  return inputType(name, description, [...fields, ...more], { trims });
};

/**
 * The input of a change: the properties that may change, nullable. With `fixed` it has those that are fixed at creation too, so that the error
 * can say so.
 */
export const updateInput = (
  target: RecordClass,
  description: string,
  { name = `Update${target.name}Input`, more = [], trims = true, fixed = false }: RecordInputOptions & { fixed?: boolean } = {},
): InputClass => {
  const props = writableProps(target).filter(({ write }) => fixed || write !== 'create');
  const fields = props.map((prop) => ({ ...inputField(target, prop, true), description: prop.changeDescription ?? prop.description }));
  return inputType(name, description, [...fields, ...more], { trims });
};
