// Values and selections that the picker writes: short, valid, and a good start for the reader's own.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  Kind,
  parseValue,
  print,
  type ValueNode,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;
/** Something that takes a value. */
export type Taker = GraphQLArgument | GraphQLInputField;

/** A value per scalar; any other takes an empty text. */
const SCALARS: Readonly<Record<string, string>> = {
  Boolean: 'true',
  Int: '1',
  Float: '1',
  ID: '"1"',
  Decimal: '1',
  Latitude: '0',
  Longitude: '0',
  Timestamp: '0',
  CountryCode: '"US"',
  LocalDate: '"2026-01-01"',
  DateTime: '"2026-01-01T00:00:00Z"',
  JSON: '{}',
  JSONObject: '{}',
};
/** Rows of a page that one looks at. */
const PAGE = '5';

/** A value for a type as the schema language writes it; members that are required are in it. */
export function sampleLiteral(type: GraphQLInputType, name: string): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return `[${sampleLiteral(nullable.ofType, name)}]`;
  if (isEnumType(nullable)) return nullable.getValues()[0]!.name;
  if (isInputObjectType(nullable)) {
    const required = Object.values(nullable.getFields()).filter(isRequiredInputField);
    return `{${required.map((member) => `${member.name}: ${sampleLiteral(member.type, member.name)}`).join(', ')}}`;
  }
  if (name === 'first' || name === 'last') return PAGE;
  return SCALARS[getNamedType(nullable).name] ?? '""';
}

/** The required arguments of a field with a value each, besides those that are given. */
export const requiredArguments = (field: Field, given: readonly string[] = []): string[] =>
  field.args
    .filter((argument) => isRequiredArgument(argument) && !given.includes(argument.name))
    .map((argument) => `${argument.name}: ${sampleLiteral(argument.type, argument.name)}`);

const isPlain = (field: Field): boolean => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument);

/** The selection a field of a type begins with: what names a record, the records of a page, the record and errors of a write. */
export function startingSelection(type: GraphQLOutputType, levels = 3): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named) && !isInterfaceType(named)) return ' { __typename }';
  const fields = named.getFields();
  const inner = (name: string): string => `${name}${startingSelection(fields[name]!.type, levels - 1)}`;
  if (levels > 0 && fields.nodes) return ` { ${inner('nodes')} }`;
  if (levels > 0 && fields.errors && named.name.endsWith('Payload')) {
    const record = Object.values(fields).find(
      (field) => isObjectType(getNamedType(field.type)) && field.name !== 'errors' && field.args.length === 0,
    );
    return ` { ${record ? `${inner(record.name)} ` : ''}errors { code path message } }`;
  }
  const known = ['id', 'name'].filter((name) => fields[name] && isPlain(fields[name]));
  const first =
    known.length > 0
      ? known
      : Object.values(fields)
          .filter(isPlain)
          .slice(0, 1)
          .map(({ name }) => name);
  return ` { ${first.length > 0 ? first.join(' ') : '__typename'} }`;
}

/** A value as the picker's box shows it: text without its quotes. */
export const shownValue = (value: ValueNode): string => (value.kind === Kind.STRING ? value.value : print(value));

const isBuiltIn = ({ name }: { name: string }): boolean => ['Int', 'Float', 'Boolean'].includes(name);

/** A typed text as a value of a type; undefined where it is not one. */
export function literalOf(type: GraphQLInputType, typed: string): string | undefined {
  const nullable = getNullableType(type);
  const isText = isScalarType(nullable) && SCALARS[nullable.name]?.startsWith('"') !== false;
  if (isText && !typed.startsWith('$')) return JSON.stringify(typed);
  try {
    const value = parseValue(typed);
    // A word without quotes is a value of an enumeration. A number may be given as text too: `company_1`.
    if (value.kind === Kind.ENUM && isScalarType(nullable)) return isBuiltIn(nullable) ? undefined : JSON.stringify(typed);
    return print(value);
  } catch {
    return undefined;
  }
}
