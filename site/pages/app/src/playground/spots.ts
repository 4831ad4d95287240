// Places in an operation: which part of the text belongs to which part of the schema.
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLObjectType,
  type GraphQLSchema,
  type InlineFragmentNode,
  isAbstractType,
  Kind,
  type ObjectFieldNode,
  type ObjectValueNode,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  type SelectionNode,
  type ValueNode,
} from 'graphql';

/** One step down the schema: to a field, an argument of it, a member of an input, or a type of an interface or union. */
export interface Step {
  readonly kind: 'field' | 'argument' | 'input' | 'type';
  readonly name: string;
}

/** The way from a root type to a part of the schema. */
export type Path = readonly Step[];

/** Nodes that hold selections. */
export type Holder = OperationDefinitionNode | FieldNode | InlineFragmentNode | FragmentDefinitionNode;
/** What a path leads to. */
export type Spot = Holder | ArgumentNode | ObjectFieldNode;

/** The document of a text; undefined while it cannot be read. */
export function documentOf(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The operations of a document, in their order. */
export const operationsOf = (document: DocumentNode): OperationDefinitionNode[] =>
  document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

/** The operation around an offset, or the last one before it, or the first. */
export function operationAt(document: DocumentNode, offset: number): OperationDefinitionNode | undefined {
  const operations = operationsOf(document);
  return operations.findLast(({ loc }) => loc!.start <= offset) ?? operations[0];
}

/** The operation of a kind that is meant at an offset. */
export function operationOfKind(document: DocumentNode, kind: OperationTypeNode, offset: number): OperationDefinitionNode | undefined {
  const here = operationAt(document, offset);
  return here?.operation === kind ? here : operationsOf(document).find(({ operation }) => operation === kind);
}

const isNamed = (name: string) => (node: { name: { value: string } }) => node.name.value === name;

/** The object that holds the members of an input; of a list, its first element. */
export function objectOf(value: ValueNode): ObjectValueNode | undefined {
  if (value.kind === Kind.OBJECT) return value;
  return value.kind === Kind.LIST && value.values[0] ? objectOf(value.values[0]) : undefined;
}

/** Finds the places of one operation. */
export class Spots {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #operation: OperationDefinitionNode;

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#operation = operation;
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  /** The place of a path, and the node whose selections or members it is among; undefined where the operation does not have it. */
  at(path: Path): { spot: Spot; holder?: Spot } | undefined {
    let found: { spot: Spot; holder?: Spot } = { spot: this.#operation };
    let type: string | undefined = this.#schema.getRootType(this.#operation.operation)?.name;
    for (const step of path) {
      const next = this.#below(found.spot, step, type);
      if (!next) return undefined;
      found = next;
      type = this.#typeBelow(type, step);
    }
    return found;
  }

  #typeBelow(type: string | undefined, { kind, name }: Step): string | undefined {
    if (kind === 'type') return name;
    if (kind !== 'field' || !type) return type;
    const parent = this.#schema.getType(type);
    const field = parent && 'getFields' in parent ? parent.getFields()[name] : undefined;
    return field && String(field.type).replaceAll(/[[\]!]/g, '');
  }

  #below(spot: Spot, step: Step, type: string | undefined): { spot: Spot; holder: Spot } | undefined {
    if (step.kind === 'argument') {
      const argument = spot.kind === Kind.FIELD ? spot.arguments?.find(isNamed(step.name)) : undefined;
      return argument && { spot: argument, holder: spot };
    }
    if (step.kind === 'input') {
      const value = spot.kind === Kind.ARGUMENT || spot.kind === Kind.OBJECT_FIELD ? objectOf(spot.value) : undefined;
      const member = value?.fields.find(isNamed(step.name));
      return member && { spot: member, holder: spot };
    }
    if (spot.kind === Kind.ARGUMENT || spot.kind === Kind.OBJECT_FIELD) return undefined;
    return this.#selected(spot, step, type);
  }

  #selected(holder: Holder, step: Step, type: string | undefined): { spot: Spot; holder: Spot } | undefined {
    for (const selection of holder.selectionSet?.selections ?? []) {
      if (step.kind === 'field' && selection.kind === Kind.FIELD && selection.name.value === step.name) return { spot: selection, holder };
      const part = this.#conditional(selection);
      if (!part) continue;
      const condition = part.typeCondition?.name.value ?? type;
      if (step.kind === 'type' && condition === step.name) return { spot: part, holder };
      const found = condition === type ? this.#selected(part, step, type) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  #conditional(selection: SelectionNode): InlineFragmentNode | FragmentDefinitionNode | undefined {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection;
    return selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : undefined;
  }
}

/** The types that can be distinguished below a type: those of an interface or union. */
export function typesBelow(schema: GraphQLSchema, name: string): readonly GraphQLObjectType[] {
  const type = schema.getType(name);
  if (!type || type instanceof GraphQLObjectType || !isAbstractType(type)) return [];
  return schema.getPossibleTypes(type);
}
