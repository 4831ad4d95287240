// Writes an operation for a root field of the schema that a reader can paste: its required arguments as variables, and the plain fields of its response.
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  print,
} from 'graphql';
import { sampleVariables } from '../../../rest-compat/openapi/samples.ts';

type Field = GraphQLField<unknown, unknown>;
export type OperationKind = 'query' | 'mutation' | 'subscription';

/** Fields of one level of a response; more would hide the shape. */
const MAX_FIELDS = 8;
/** A record is below a page, the page below the root field: `nodes` or `node`, then its fields. */
const LEVELS = 2;
const ENVELOPE = ['nodes', 'node', 'errors', 'pageInfo'];

/** An operation and the values of its variables. */
export interface ExampleOperation {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The example of a root field; without given variables it has values by name and type. */
export function exampleOperation(kind: OperationKind, field: Field, given?: Readonly<Record<string, unknown>>): ExampleOperation {
  const isWanted = (argument: GraphQLArgument): boolean =>
    given ? given[argument.name] !== undefined : isRequiredArgument(argument) || (kind === 'mutation' && argument.name === 'input');
  const wanted = field.args.filter(isWanted);
  const declared = wanted.map(({ name, type }) => `$${name}: ${type}`);
  const passed = wanted.map(({ name }) => `${name}: $${name}`);
  const inBrackets = (parts: string[]): string => (parts.length > 0 ? `(${parts.join(', ')})` : '');
  const title = `${field.name[0]!.toUpperCase()}${field.name.slice(1)}`;
  const variables =
    given ??
    sampleVariables(
      wanted
        .filter(({ type }) => !isInputObjectType(getNamedType(type)) || kind === 'mutation')
        .map((argument) => ({ name: argument.name, key: argument.name, argument })),
    );
  return {
    document: `${kind} ${title}${inBrackets(declared)} {\n  ${field.name}${inBrackets(passed)}${selectionOf(field.type, LEVELS, '  ')}\n}`,
    variables,
  };
}

/** The least that an input of a type holds. */
export function exampleInput(type: GraphQLInputObjectType): unknown {
  const argument: GraphQLArgument = {
    name: 'input',
    type,
    description: null,
    defaultValue: undefined,
    deprecationReason: null,
    extensions: {},
    astNode: null,
  };
  return sampleVariables([{ name: 'input', key: 'input', argument }]).input;
}

/** A fragment that selects fields of a type: plain ones, or the one that is asked for. */
export function exampleSelection(type: string, fields: readonly Field[]): string {
  const plain = fields.filter(({ args, type: own }) => isPlain(getNamedType(own)) && !args.some(isRequiredArgument)).slice(0, MAX_FIELDS);
  const shown = fields.length === 1 ? fields : plain;
  const lines = shown.map((field) => `  ${field.name}${argumentsOf(field)}${selectionOf(field.type, LEVELS, '  ')}`);
  return `fragment Example on ${type} {\n${(lines.length > 0 ? lines : ['  __typename']).join('\n')}\n}`;
}

/** The required arguments of a field, with values in the language of GraphQL. */
function argumentsOf({ args }: Field): string {
  const needed = args.filter(isRequiredArgument);
  if (needed.length === 0) return '';
  const values = sampleVariables(needed.map((argument) => ({ name: argument.name, key: argument.name, argument })));
  return `(${needed.map(({ name, type }) => `${name}: ${print(astFromValue(values[name], type)!)}`).join(', ')})`;
}

/** The selection below a field of a type, empty where the type has no fields. */
function selectionOf(type: GraphQLOutputType, levels: number, indent: string): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  const inner = `${indent}  `;
  if (!isObjectType(named)) return ` {\n${inner}__typename\n${indent}}`;
  const fields = Object.values(named.getFields()).filter((field) => !field.deprecationReason && !field.args.some(isRequiredArgument));
  const plain = fields.filter((field) => isPlain(getNamedType(field.type)) && field.args.length === 0).slice(0, MAX_FIELDS);
  const deeper = levels === 0 ? [] : fields.filter(({ name }) => ENVELOPE.includes(name));
  // The result of a write is named after its record, next to `errors`.
  const records = deeper.length > 0 || plain.length === 0 ? fields.filter((field) => levels > 0 && isRecord(field)).slice(0, 1) : [];
  const lines = [
    ...plain.map(({ name }) => name),
    ...[...new Set([...records, ...deeper])].map((field) => `${field.name}${selectionOf(field.type, levels - 1, inner)}`),
  ];
  return ` {\n${(lines.length > 0 ? lines : ['__typename']).map((line) => `${inner}${line}`).join('\n')}\n${indent}}`;
}

const isPlain = (type: GraphQLNamedType): boolean => isLeafType(type) && (isEnumType(type) || !/^JSON/.test(type.name));
const isRecord = ({ type, args }: Field): boolean => args.length === 0 && isObjectType(getNamedType(type));
