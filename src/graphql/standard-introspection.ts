// Standard introspection: recognises the document that tools send, in all its variants, and caches its response.
import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type GraphQLType,
  getIntrospectionQuery,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isWrappingType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
} from 'graphql';
import { KeptCodings } from '../http/compression.ts';
import { JsonFragment } from '../json/fragment.ts';
import type { Cache } from '../runtime/caches.ts';
import type { Operation } from './executor.ts';
import { fragmentsOf } from './query-cost.ts';

/** Options by which the standard document varies; each may be on or off. */
const VARIANTS = [
  'descriptions',
  'specifiedByUrl',
  'directiveIsRepeatable',
  'schemaDescription',
  'inputValueDeprecation',
  'oneOf',
] as const;

const traits = { isWithoutSecrets: true, isShared: true, deprecatedFields: [] };

/** Recognises standard introspection over one schema and returns its response. */
export class StandardIntrospection implements Cache {
  readonly #schema: GraphQLSchema;
  /** Levels of `ofType` that can have a value in this schema; deeper ones are ignored. */
  readonly #unwraps: number;
  /** The variants by their normal form. */
  #variants: Map<string, DocumentNode> | undefined;
  /** At most one response per variant, 0.5 to 0.8 MB each, and a tenth of that in each coding. */
  readonly #responses = new Map<DocumentNode, { result: ExecutionResult; codings: KeptCodings }>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#unwraps = mostWraps(schema) + 1;
  }

  /** Number of responses. */
  get size(): number {
    return this.#responses.size;
  }

  clear(): void {
    this.#responses.clear();
  }

  /** The operation ready to run, if it is a standard introspection; the document must be valid and within the limits. */
  operation(document: DocumentNode, node: OperationDefinitionNode): Operation | undefined {
    const [root, ...others] = node.selectionSet.selections;
    if (node.operation !== 'query' || others.length > 0 || root?.kind !== Kind.FIELD || root.name.value !== '__schema') return undefined;
    if (node.directives?.length || node.variableDefinitions?.length) return undefined;
    const form = this.#form(node.selectionSet, fragmentsOf(document), 0);
    this.#variants ??= this.#allVariants();
    const variant = form === undefined ? undefined : this.#variants.get(form);
    if (!variant) return undefined;
    const { result, codings } = this.#responseTo(variant);
    return { kind: 'query', name: node.name?.value, variables: [], traits, codings, run: () => result };
  }

  #responseTo(variant: DocumentNode): { result: ExecutionResult; codings: KeptCodings } {
    let response = this.#responses.get(variant);
    if (!response) {
      const { data } = executeSync({ schema: this.#schema, document: variant });
      response = { result: { data: { __schema: new JsonFragment(JSON.stringify(data!.__schema)) } }, codings: new KeptCodings() };
      this.#responses.set(variant, response);
    }
    return response;
  }

  #allVariants(): Map<string, DocumentNode> {
    const variants = new Map<string, DocumentNode>();
    for (let bits = 0; bits < 2 ** VARIANTS.length; bits++) {
      const options = Object.fromEntries(VARIANTS.map((name, index) => [name, (bits & (2 ** index)) !== 0]));
      const text = getIntrospectionQuery(options);
      // Before version 16.10 graphql-js did not select the kind of the root types.
      for (const variant of [text, text.replaceAll('{ name kind }', '{ name }')]) {
        const document = parse(variant);
        const operation = document.definitions.find((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)!;
        variants.set(this.#form(operation.selectionSet, fragmentsOf(document), 0)!, document);
      }
    }
    return variants;
  }

  /** The normal form of a set: its fields sorted by name, fragments expanded. Undefined for an alias or a directive, which the standard document never has. */
  #form(set: SelectionSetNode, fragments: Map<string, FragmentDefinitionNode>, unwrapped: number): string | undefined {
    const fields = new Set<string>();
    const add = ({ selections }: SelectionSetNode): boolean =>
      selections.every((selection) => {
        if (selection.directives?.length) return false;
        if (selection.kind !== Kind.FIELD) {
          const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
          return fragment !== undefined && add(fragment.selectionSet);
        }
        const name = selection.name.value;
        const level = name === 'ofType' ? unwrapped + 1 : 0;
        if (level > this.#unwraps) return true;
        const below = selection.selectionSet ? this.#form(selection.selectionSet, fragments, level) : '';
        if (selection.alias || below === undefined) return false;
        fields.add(`${name}(${(selection.arguments ?? []).map(print).sort()})${below}`);
        return true;
      });
    return add(set) ? `{${[...fields].sort()}}` : undefined;
  }
}

/** The most list and non-null wrappers around any type of a schema. */
function mostWraps(schema: GraphQLSchema): number {
  const wraps = (type: GraphQLType): number => (isWrappingType(type) ? 1 + wraps(type.ofType) : 0);
  const types = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => field.type);
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => [field.type, ...field.args.map((argument) => argument.type)]);
  });
  return Math.max(0, ...types.map(wraps), ...schema.getDirectives().flatMap(({ args }) => args.map(({ type }) => wraps(type))));
}
