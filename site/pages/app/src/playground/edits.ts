// Changes of an operation's text by the picker: the smallest that do it, so that comments and the reader's own layout stay.
import {
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  print,
  type Token,
  TokenKind,
  visit,
} from 'graphql';
import { literalOf, requiredArguments, sampleLiteral, startingSelection, type Taker } from './literals.ts';
import { documentOf, type Holder, objectOf, operationOfKind, type Path, type Spot, Spots, type Step } from './spots.ts';

/** The operation that is edited. */
export interface Edited {
  readonly schema: GraphQLSchema;
  readonly text: string;
  /** Where the reader is in the text: decides between several operations. */
  readonly offset: number;
  readonly kind: OperationTypeNode;
}

const INDENT = '  ';

/** The text with a part of the schema picked, or no longer picked where it was. Returns the same text where that is not possible. */
export function toggled(edited: Edited, path: Path): string {
  const document = documentOf(edited.text);
  // A text of comments alone is no document, and a place for one.
  if (!document) return /^\s*(#.*\s*)*$/.test(edited.text) ? withNewOperation(edited, path) : edited.text;
  const operation = operationOfKind(document, edited.kind, edited.offset);
  if (!operation) return withNewOperation(edited, path);
  const spots = new Spots(edited.schema, document, operation);
  const isPicked = spots.at(path) !== undefined;
  // A subscription has one root field.
  if (edited.kind === 'subscription' && !spots.at(path.slice(0, 1))) return withNewOperation(edited, path);
  const text = isPicked ? withoutPath(edited.text, spots, path) : withPath(edited, spots, path);
  return documentOf(text) || !text.trim() ? withoutIdleVariables(edited, text) : edited.text;
}

/** The text with another value of an argument or member; undefined where what was typed is no value. */
export function withValue({ schema, text, offset, kind }: Edited, path: Path, typed: string): string | undefined {
  const document = documentOf(text);
  const operation = document && operationOfKind(document, kind, offset);
  const spot = operation && new Spots(schema, document, operation).at(path)?.spot;
  const taker = takerAt(schema, kind, path);
  const literal = taker && literalOf(taker.type, typed);
  if (!literal || (spot?.kind !== Kind.ARGUMENT && spot?.kind !== Kind.OBJECT_FIELD)) return undefined;
  return replaced(text, spot.value.loc!.start, spot.value.loc!.end, literal);
}

/** The type that a path of fields and type conditions leads to. */
function typeAt(schema: GraphQLSchema, kind: OperationTypeNode, path: Path): GraphQLNamedType | undefined {
  return path.reduce<GraphQLNamedType | undefined>((type, step) => {
    if (step.kind === 'type') return schema.getType(step.name);
    if (step.kind !== 'field' || !type || !(isObjectType(type) || isInterfaceType(type))) return type;
    const field = type.getFields()[step.name];
    return field && getNamedType(field.type);
  }, schema.getRootType(kind) ?? undefined);
}

const fieldAt = (schema: GraphQLSchema, kind: OperationTypeNode, path: Path) => {
  const parent = typeAt(schema, kind, path.slice(0, -1));
  return parent && (isObjectType(parent) || isInterfaceType(parent)) ? parent.getFields()[path.at(-1)!.name] : undefined;
};

/** The argument or input member at a path. */
export function takerAt(schema: GraphQLSchema, kind: OperationTypeNode, path: Path): Taker | undefined {
  const first = path.findIndex((step) => step.kind === 'argument');
  if (first < 0) return undefined;
  let taker: Taker | undefined = fieldAt(schema, kind, path.slice(0, first))?.args.find(({ name }) => name === path[first]!.name);
  for (const { name } of path.slice(first + 1)) {
    const type: GraphQLNamedType | undefined = taker && getNamedType(taker.type);
    taker = type && isInputObjectType(type) ? type.getFields()[name] : undefined;
  }
  return taker;
}

const replaced = (text: string, start: number, end: number, by: string): string => text.slice(0, start) + by + text.slice(end);

function withNewOperation(edited: Edited, path: Path): string {
  const [{ name } = { name: '' }] = path;
  const before = namedShorthand(edited.text).trimEnd();
  const taken = new Set(documentOf(before)?.definitions.map((definition) => 'name' in definition && definition.name?.value));
  const title = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  let free = title;
  for (let count = 2; taken.has(free); count++) free = `${title}${count}`;
  const operation = `${edited.kind} ${free} {${chain(edited, [], path)}}`;
  return `${before ? `${before}\n\n` : ''}${print(parse(operation))}\n`;
}

/** An operation without a name must be alone, so it gets one before another comes. */
function namedShorthand(text: string): string {
  const nameless = documentOf(text)?.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION && !definition.name);
  if (nameless?.kind !== Kind.OPERATION_DEFINITION) return text;
  const { start, startToken } = nameless.loc!;
  if (startToken.kind === TokenKind.BRACE_L) return replaced(text, start, start, 'query First ');
  return replaced(text, startToken.end, startToken.end, ' First');
}

/** The text of a path below what the operation has, as the schema language writes it on one line. */
function chain(edited: Edited, above: Path, path: Path): string {
  const [step, ...rest] = path;
  if (!step) return '';
  const here = [...above, step];
  if (step.kind === 'type') {
    const type = edited.schema.getType(step.name);
    const inner = rest.length > 0 ? ` { ${chain(edited, here, rest)} }` : isObjectType(type) ? startingSelection(type) : '';
    return `... on ${step.name}${inner}`;
  }
  const field = fieldAt(edited.schema, edited.kind, here);
  if (!field) return '';
  const isArgument = rest[0]?.kind === 'argument';
  const given = isArgument ? [inputChain(edited, here, rest)] : [];
  const taken = [...given, ...requiredArguments(field, isArgument ? [rest[0]!.name] : [])];
  const inner = rest.length > 0 && !isArgument ? ` { ${chain(edited, here, rest)} }` : startingSelection(field.type);
  return `${step.name}${taken.length > 0 ? `(${taken.join(', ')})` : ''}${inner}`;
}

/** `name: value` of an argument or member, with the members that the path continues to. */
function inputChain(edited: Edited, above: Path, path: Path): string {
  const [step, ...rest] = path;
  const here = [...above, step!];
  const taker = takerAt(edited.schema, edited.kind, here);
  if (!taker) return '';
  if (rest.length === 0) return `${step!.name}: ${sampleLiteral(taker.type, taker.name)}`;
  const members = getNamedType(taker.type) as GraphQLInputObjectType;
  const others = Object.values(members.getFields()).filter(
    (member) => member.name !== rest[0]!.name && String(member.type).endsWith('!') && member.defaultValue === undefined,
  );
  const object = `{${[inputChain(edited, here, rest), ...others.map((member) => `${member.name}: ${sampleLiteral(member.type, member.name)}`)].join(', ')}}`;
  return `${step!.name}: ${isListType(getNullableType(taker.type)) ? `[${object}]` : object}`;
}

function withPath(edited: Edited, spots: Spots, path: Path): string {
  let known = path.length - 1;
  while (!spots.at(path.slice(0, known))) known -= 1;
  const { spot } = spots.at(path.slice(0, known))!;
  const above = path.slice(0, known);
  const rest = path.slice(known);
  if (rest[0]!.kind === 'argument') return withArgument(edited.text, spot, inputChain(edited, above, rest));
  if (rest[0]!.kind === 'input') return withMember(edited.text, spot, inputChain(edited, above, rest));
  if (spot.kind === Kind.ARGUMENT || spot.kind === Kind.OBJECT_FIELD) return edited.text;
  return withSelection(edited.text, spot, chain(edited, above, rest));
}

function withArgument(text: string, spot: Spot, argument: string): string {
  if (spot.kind !== Kind.FIELD) return text;
  const last = spot.arguments?.at(-1);
  if (last) return replaced(text, last.loc!.end, last.loc!.end, `, ${argument}`);
  return replaced(text, spot.name.loc!.end, spot.name.loc!.end, `(${argument})`);
}

function withMember(text: string, spot: Spot, member: string): string {
  if (spot.kind !== Kind.ARGUMENT && spot.kind !== Kind.OBJECT_FIELD) return text;
  const object = objectOf(spot.value);
  if (!object) {
    if (spot.value.kind === Kind.VARIABLE) return text;
    const { start, end } = spot.value.loc!;
    return replaced(text, start, end, spot.value.kind === Kind.LIST ? `[{${member}}]` : `{${member}}`);
  }
  const last = object.fields.at(-1);
  const at = last ? last.loc!.end : object.loc!.start + 1;
  return replaced(text, at, at, last ? `, ${member}` : member);
}

/** The indentation of the line on which an offset is. */
const indentAt = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];

function withSelection(text: string, holder: Holder, selection: string): string {
  const lines = print(parse(`{${selection}}`))
    .split('\n')
    .slice(1, -1)
    .map((line) => line.slice(INDENT.length));
  const outer = indentAt(text, holder.loc!.start);
  const within = (indent: string): string => lines.map((line) => `\n${indent}${line}`).join('');
  const set = holder.selectionSet;
  if (!set) return replaced(text, holder.loc!.end, holder.loc!.end, ` {${within(outer + INDENT)}\n${outer}}`);
  const last = set.selections.at(-1)!.loc!;
  const source = text.slice(set.loc!.start, set.loc!.end);
  if (source.includes('\n')) return replaced(text, last.end, last.end, within(indentAt(text, set.selections[0]!.loc!.start)));
  if (lines.length === 1) return replaced(text, last.end, last.end, ` ${lines[0]}`);
  const inner = outer + INDENT;
  return replaced(text, set.loc!.start, set.loc!.end, `{\n${inner}${source.slice(1, -1).trim()}${within(inner)}\n${outer}}`);
}

function withoutPath(text: string, spots: Spots, path: Path): string {
  const { spot, holder } = spots.at(path)!;
  if (!holder) return withoutDefinition(text, spot);
  if (spot.kind === Kind.ARGUMENT && holder.kind === Kind.FIELD) return withoutOne(text, holder.arguments!, spot, true);
  if (spot.kind === Kind.OBJECT_FIELD && 'value' in holder) return withoutOne(text, objectOf(holder.value)!.fields, spot, false);
  if (!('selectionSet' in holder) || !holder.selectionSet) return text;
  // A type condition may replace a named fragment, whose own text stays.
  const selection = holder.selectionSet.selections.find(({ loc }) => loc!.start === spot.loc!.start);
  const gone =
    selection ??
    holder.selectionSet.selections.find(
      (other) => other.kind === Kind.FRAGMENT_SPREAD && 'name' in spot && other.name.value === spot.name?.value,
    );
  if (!gone) return text;
  if (holder.selectionSet.selections.length > 1) return replaced(text, gone.loc!.startToken.prev!.end, gone.loc!.end, '');
  if (holder.kind === Kind.FRAGMENT_DEFINITION) return replaced(text, gone.loc!.start, gone.loc!.end, '__typename');
  // Braces must not be empty: what holds nothing more goes too.
  return withoutPath(text, spots, parentOf(path));
}

const isInput = ({ kind }: Step): boolean => kind === 'argument' || kind === 'input';
const parentOf = (path: Path): Path =>
  path.slice(
    0,
    path.findLastIndex((step) => !isInput(step)),
  );

function withoutDefinition(text: string, { loc }: Spot): string {
  const rest = replaced(text, loc!.start, loc!.end, '');
  return rest.trim() ? `${rest.trim()}\n` : '';
}

interface Located {
  readonly loc?: { readonly start: number; readonly end: number; readonly startToken: Token; readonly endToken: Token };
}

/** Removes one of several nodes between brackets, and with the last one also the brackets where they must not be empty. */
function withoutOne(text: string, nodes: readonly Located[], gone: Located, withBrackets: boolean): string {
  const index = nodes.indexOf(gone);
  const { start, end, startToken, endToken } = gone.loc!;
  if (nodes.length === 1)
    return withBrackets ? replaced(text, startToken.prev!.start, endToken.next!.end, '') : replaced(text, start, end, '');
  if (index < nodes.length - 1) return replaced(text, start, nodes[index + 1]!.loc!.start, '');
  return replaced(text, nodes[index - 1]!.loc!.end, end, '');
}

/** The names of the variables that an operation uses, in itself or in a fragment of its document. */
function usedVariables(text: string, operation: OperationDefinitionNode): Set<string> {
  const used = new Set<string>();
  const note = { Variable: (node: { name: { value: string } }) => void used.add(node.name.value) };
  visit(operation, { VariableDefinition: () => false, ...note });
  for (const definition of documentOf(text)!.definitions) if (definition.kind === Kind.FRAGMENT_DEFINITION) visit(definition, note);
  return used;
}

/** Takes out the declarations of variables that the change left without use; those that were idle before stay. */
function withoutIdleVariables(edited: Edited, changed: string): string {
  const before = operationOfKind(documentOf(edited.text)!, edited.kind, edited.offset)!;
  const usedBefore = usedVariables(edited.text, before);
  for (let text = changed; ; ) {
    const document = documentOf(text);
    const operation = document && operationOfKind(document, edited.kind, edited.offset);
    if (!operation || operation.name?.value !== before.name?.value) return text;
    const used = usedVariables(text, operation);
    const declared = operation.variableDefinitions ?? [];
    const idle = declared.find(({ variable: { name } }) => usedBefore.has(name.value) && !used.has(name.value));
    if (!idle) return text;
    text = withoutOne(text, declared, idle, true);
  }
}
