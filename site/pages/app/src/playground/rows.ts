// The schema as the rows of a tree: what is open, which parts are picked in the operation, and what the reference says of it.
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
  type OperationTypeNode,
  print,
} from 'graphql';
import { shownValue } from './literals.ts';
import { documentOf, operationOfKind, type Path, Spots, type Step, typesBelow } from './spots.ts';

/** One row of the tree. */
export interface Row {
  readonly id: string;
  readonly path: Path;
  readonly step: Step;
  /** 1 for a root field. */
  readonly level: number;
  /** As the schema writes it: `[String!]!`; empty for a type condition. */
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly isPicked: boolean;
  readonly isOpen: boolean;
  readonly hasChildren: boolean;
  /** The value of a picked argument or member, where it is written in the operation. */
  readonly value?: string;
  /** The values of an enumeration. */
  readonly choices?: readonly string[];
  /** Its place in the reference. */
  readonly reference: string;
}

/** What the tree is made from. */
export interface TreeState {
  readonly schema: GraphQLSchema;
  readonly kind: OperationTypeNode;
  readonly text: string;
  readonly offset: number;
  readonly open: ReadonlySet<string>;
  /** Words that a root field, or a field below it, must have in its name. */
  readonly filter: string;
}

const ROOTS: Readonly<Record<OperationTypeNode, string>> = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' };

/** The name of a path, unique in its tree. */
export const idOf = (path: Path): string => path.map(({ kind, name }) => `${kind}:${name}`).join('/');

/** The rows that are in sight. */
export function rowsOf(state: TreeState): Row[] {
  const root = state.schema.getRootType(state.kind);
  if (!root) return [];
  const document = documentOf(state.text);
  const operation = document && operationOfKind(document, state.kind, state.offset);
  const spots = operation && new Spots(state.schema, document, operation);
  const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const isNamed = ({ name }: Field): boolean => words.every((word) => name.toLowerCase().includes(word));
  const tree = new Tree(state, spots);
  return Object.values(root.getFields()).flatMap((field) => {
    if (isNamed(field)) return tree.fields([field], [], ROOTS[state.kind]);
    const type = getNamedType(field.type);
    const found = isObjectType(type) ? Object.values(type.getFields()).filter(isNamed) : [];
    if (found.length === 0) return [];
    const [row] = tree.fields([field], [], ROOTS[state.kind]);
    return row ? [{ ...row, isOpen: true }, ...tree.fields(found, row.path, type.name)] : [];
  });
}

type Field = GraphQLField<unknown, unknown>;

class Tree {
  readonly #state: TreeState;
  readonly #spots: Spots | undefined;

  constructor(state: TreeState, spots: Spots | undefined) {
    this.#state = state;
    this.#spots = spots;
  }

  fields(fields: readonly Field[], above: Path, parent: string): Row[] {
    return fields.flatMap((field) => {
      const path = [...above, { kind: 'field', name: field.name } as const];
      const type = getNamedType(field.type);
      const hasChildren = field.args.length > 0 || 'getFields' in type || typesBelow(this.#state.schema, type.name).length > 0;
      const reference = above.length === 0 ? `/docs/graphql/${parent}/${field.name}` : `/docs/graphql/types/${parent}#field-${field.name}`;
      const row = this.#row(path, field, { isRequired: false, hasChildren, reference });
      return this.#shown(row, field, () => [...this.#takers(field.args, path, 'argument', reference), ...this.#below(type, path)]);
    });
  }

  #below(type: GraphQLNamedType, path: Path): Row[] {
    const fields = isObjectType(type) || isInterfaceType(type) ? this.fields(Object.values(type.getFields()), path, type.name) : [];
    const types = typesBelow(this.#state.schema, type.name).flatMap((possible) => {
      const here = [...path, { kind: 'type', name: possible.name } as const];
      const row = this.#row(
        here,
        { description: possible.description },
        { isRequired: false, hasChildren: true, reference: `/docs/graphql/types/${possible.name}` },
      );
      return this.#shown(row, {}, () => this.fields(Object.values(possible.getFields()), here, possible.name));
    });
    return [...fields, ...types];
  }

  #takers(takers: readonly (GraphQLArgument | GraphQLInputField)[], above: Path, kind: 'argument' | 'input', parent: string): Row[] {
    return takers.flatMap((taker) => {
      const path = [...above, { kind, name: taker.name } as const];
      const type = getNamedType(taker.type);
      const row = this.#row(path, taker, {
        isRequired: kind === 'argument' ? isRequiredArgument(taker as GraphQLArgument) : isRequiredInputField(taker as GraphQLInputField),
        hasChildren: isInputObjectType(type),
        // The page of a type has a place for each field, and none for the arguments of a field.
        reference: parent.includes('#') ? parent : `${parent}#field-${taker.name}`,
      });
      return this.#shown(row, taker, () =>
        isInputObjectType(type) ? this.#takers(Object.values(type.getFields()), path, 'input', `/docs/graphql/types/${type.name}`) : [],
      );
    });
  }

  /** A row and what is open below it; what is deprecated shows only where it is in use. */
  #shown(row: Row, { deprecationReason }: { deprecationReason?: string | null }, below: () => Row[]): Row[] {
    if (deprecationReason && !row.isPicked) return [];
    return row.isOpen ? [row, ...below()] : [row];
  }

  #row(
    path: Path,
    part: {
      description?: string | null;
      deprecationReason?: string | null;
      type?: Field['type'] | GraphQLInputType;
      defaultValue?: unknown;
    },
    traits: Pick<Row, 'isRequired' | 'hasChildren' | 'reference'>,
  ): Row {
    const id = idOf(path);
    const spot = this.#spots?.at(path)?.spot;
    const isValue = spot?.kind === Kind.ARGUMENT || spot?.kind === Kind.OBJECT_FIELD;
    const isVariable = isValue && spot.value.kind === Kind.VARIABLE;
    const named = part.type && getNamedType(part.type);
    const fallback = part.defaultValue === undefined ? null : astFromValue(part.defaultValue, part.type as GraphQLInputType);
    return {
      id,
      path,
      step: path.at(-1)!,
      level: path.length,
      type: part.type ? `${part.type}${fallback ? ` = ${print(fallback)}` : ''}` : '',
      description: [part.description, part.deprecationReason && `Deprecated: ${part.deprecationReason}`].filter(Boolean).join(' '),
      isDeprecated: Boolean(part.deprecationReason),
      isPicked: spot !== undefined,
      isOpen: traits.hasChildren && !isVariable && this.#state.open.has(id),
      ...traits,
      hasChildren: traits.hasChildren && !isVariable,
      ...(isValue && (isVariable || !isInputObjectType(named)) ? { value: shownValue(spot.value) } : {}),
      ...(isEnumType(named) && !String(part.type).includes('[') ? { choices: named.getValues().map(({ name }) => name) } : {}),
    };
  }
}
