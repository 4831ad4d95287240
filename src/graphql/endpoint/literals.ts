// Documents that differ in their literals alone: their common form, and the document in which variables replace the literals.
import {
  type ConstValueNode,
  type DocumentNode,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLSchema,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  parseType,
  Source,
  TokenKind,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { operationLimits } from '../query-cost.ts';

/** A document of one query as its form and the literals in it. Documents of equal form parse to equal trees, but for their literals and the name of the query. */
export interface WrittenQuery {
  form: string;
  name: string | undefined;
  /** The literals in their order. */
  literals: readonly ConstValueNode[];
  /** Where each begins in the text. */
  places: readonly number[];
}

/** The names of the variables that replace literals begin with this; GraphQL leaves names with two underscores to its own schema. */
const PREFIX = '__literal';

const literalKinds = new Map<TokenKind, Kind.INT | Kind.FLOAT | Kind.STRING>([
  [TokenKind.INT, Kind.INT],
  [TokenKind.FLOAT, Kind.FLOAT],
  [TokenKind.STRING, Kind.STRING],
  [TokenKind.BLOCK_STRING, Kind.STRING],
]);

const operations = new Set<string>(Object.values(OperationTypeNode));

/**
 * Reads what the tokens of a text show. Returns undefined for a text that is not a single query, has errors, or has more tokens than a document may
 * have. Literals of directives and of defaults of variables belong to the form.
 */
export function writtenQuery(text: string): WrittenQuery | undefined {
  try {
    return read(new Lexer(new Source(text)));
  } catch {
    return undefined;
  }
}

function read(lexer: Lexer): WrittenQuery | undefined {
  const [literals, places]: [ConstValueNode[], number[]] = [[], []];
  let [form, name]: [string, string | undefined] = ['', undefined];
  let [tokens, braces, parentheses] = [0, 0, 0];
  let [isInBody, isOfDirective] = [false, false];
  let [last, before]: (TokenKind | undefined)[] = [];
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (++tokens > operationLimits.tokens) return undefined;
    const { kind, value } = token;
    const isOutside = braces === 0 && parentheses === 0;
    // After the query there may be fragments alone: of several operations, the name would choose one.
    if (isOutside && kind === TokenKind.NAME && (tokens === 1 ? value !== 'query' : operations.has(value))) return undefined;
    if (isOutside && kind === TokenKind.BRACE_L && last === TokenKind.BRACE_R) return undefined;
    if (kind === TokenKind.NAME && value.startsWith(PREFIX)) return undefined;
    if (kind === TokenKind.BRACE_L) {
      isInBody ||= isOutside;
      braces++;
    } else if (kind === TokenKind.BRACE_R) braces--;
    else if (kind === TokenKind.PAREN_L) {
      isOfDirective = before === TokenKind.AT;
      parentheses++;
    } else if (kind === TokenKind.PAREN_R) parentheses--;
    const literal = isInBody && !isOfDirective ? literalKinds.get(kind) : undefined;
    if (literal) {
      literals.push({ kind: literal, value });
      places.push(token.start);
      form += `#${kind} `;
    } else if (kind !== TokenKind.NAME) form += value === undefined ? `${kind} ` : `${kind}:${JSON.stringify(value)} `;
    else if (tokens === 2 && !isInBody) name = value;
    else form += `${value} `;
    [before, last] = [last, kind];
  }
  return { form, name, literals, places };
}

/** A document of a form in which variables replace the literals. */
export interface FormDocument {
  document: DocumentNode;
  node: OperationDefinitionNode;
  /** The type of each literal. */
  types: readonly GraphQLInputType[];
}

/** Puts variables in the place of the literals; undefined where the type of one is not known, as within free-form JSON. */
export function withVariables(schema: GraphQLSchema, text: string, { places }: Pick<WrittenQuery, 'places'>): FormDocument | undefined {
  const types = new Map<number, GraphQLInputType>();
  // By where they begin: a document may have nearly as many literals as tokens, and a search for each would cost their square.
  const numbers = new Map(places.map((start, place) => [start, place]));
  const typeInfo = new TypeInfo(schema);
  const replaced = (node: ValueNode): ValueNode | undefined => {
    const place = numbers.get(node.loc!.start);
    const type = typeInfo.getInputType();
    if (place === undefined || !type) return undefined;
    types.set(place, new GraphQLNonNull(type instanceof GraphQLNonNull ? type.ofType : type));
    return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: PREFIX + place } };
  };
  const body = visit(
    parse(text, { maxTokens: operationLimits.tokens }),
    visitWithTypeInfo(typeInfo, { IntValue: replaced, FloatValue: replaced, StringValue: replaced }),
  );
  if (types.size < places.length) return undefined;
  const declared = [...types].map(
    ([place, type]): VariableDefinitionNode => ({
      kind: Kind.VARIABLE_DEFINITION,
      variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: PREFIX + place } },
      type: parseType(String(type)),
    }),
  );
  const [node, ...fragments] = body.definitions as readonly [OperationDefinitionNode];
  const query: OperationDefinitionNode = { ...node, variableDefinitions: [...(node.variableDefinitions ?? []), ...declared] };
  return { document: { ...body, definitions: [query, ...fragments] }, node: query, types: places.map((_, place) => types.get(place)!) };
}

/** Whether a variable replaces a literal. */
export const isOfLiteral = ({ name }: { name: string }): boolean => name.startsWith(PREFIX);

/** The values of the variables that replace literals; undefined where one is not of its type. */
export function valuesOf(literals: readonly ConstValueNode[], types: readonly GraphQLInputType[]): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  for (const [place, literal] of literals.entries()) {
    const value = valueFromAST(literal, types[place]!);
    if (value === undefined) return undefined;
    values[PREFIX + place] = value;
  }
  return values;
}
