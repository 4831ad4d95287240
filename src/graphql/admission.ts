// Admission of parsed documents: whether a caller without a key may send it, the limits, then validation. Limits and validation run once per document.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  type SelectionSetNode,
  specifiedRules,
  validate,
} from 'graphql';
import type { Principal, RoleName } from '../access/principal.ts';
import { GatewayError } from '../records/errors.ts';
import type { Operation } from './executor.ts';
import { type CostFunction, checkCost, checkDocument, fieldOf, fragmentsOf, operationLimits } from './query-cost.ts';
import { StandardIntrospection } from './standard-introspection.ts';

/** Validation suggests names for each unknown one by comparing it with every name of the schema: half a millisecond per error. */
const MOST_ERRORS = 20;

/** What the admission knows about an operation before it runs. */
export interface AdmittedOperation {
  /** Whether every field at its root is open to callers without a key. */
  isOpen: boolean;
  cost: CostFunction;
  /** The cached introspection, where the operation is a standard one. */
  standard: Operation | undefined;
}

interface Verdict {
  errors: readonly Error[];
  operations: Map<OperationDefinitionNode, AdmittedOperation>;
}

/** Admits documents over one schema. */
export class Admission {
  readonly #introspection: StandardIntrospection;
  readonly #schema: GraphQLSchema;
  readonly #rules: typeof specifiedRules;
  readonly #verdicts = new WeakMap<DocumentNode, Verdict>();

  constructor(schema: GraphQLSchema, allowsIntrospection: boolean) {
    this.#schema = schema;
    this.#rules = allowsIntrospection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    this.#introspection = new StandardIntrospection(schema);
  }

  /** The errors for which a document is refused, ours or those of validation; empty when it is admitted. */
  errors(document: DocumentNode, principal: Principal | null): readonly Error[] {
    if (!principal && !this.#isOpenDocument(document)) return [new GatewayError('UNAUTHENTICATED', 'a key is required')];
    return this.#verdict(document).errors;
  }

  /** An operation of a document without errors. */
  operation(document: DocumentNode, node: OperationDefinitionNode): AdmittedOperation {
    return this.#verdict(document).operations.get(node)!;
  }

  #verdict(document: DocumentNode): Verdict {
    let verdict = this.#verdicts.get(document);
    if (!verdict) {
      verdict = this.#check(document);
      this.#verdicts.set(document, verdict);
    }
    return verdict;
  }

  #check(document: DocumentNode): Verdict {
    let costs: Map<OperationDefinitionNode, CostFunction>;
    try {
      costs = checkDocument(this.#schema, document);
    } catch (error) {
      if (error instanceof GatewayError || error instanceof GraphQLError) return { errors: [error], operations: new Map() };
      throw error;
    }
    const errors = validate(this.#schema, document, this.#rules, { maxErrors: MOST_ERRORS }).map(asValidationError);
    const operations = new Map<OperationDefinitionNode, AdmittedOperation>();
    if (errors.length > 0) return { errors, operations };
    const fragments = fragmentsOf(document);
    for (const [node, cost] of costs) {
      const standard = this.#introspection.operation(document, node);
      operations.set(node, {
        isOpen: this.#isOpen(node, fragments),
        cost: standard ? () => operationLimits.costWithoutKey : cost,
        standard,
      });
    }
    return { errors, operations };
  }

  #isOpenDocument(document: DocumentNode): boolean {
    const fragments = fragmentsOf(document);
    return document.definitions.every((node) => node.kind !== Kind.OPERATION_DEFINITION || this.#isOpen(node, fragments));
  }

  /** Fields that do not exist count as open: validation then reports them. */
  #isOpen(operation: OperationDefinitionNode, fragments: Map<string, FragmentDefinitionNode>): boolean {
    const type = this.#schema.getRootType(operation.operation) ?? undefined;
    const waiting: SelectionSetNode[] = [operation.selectionSet];
    const seen = new Set<FragmentDefinitionNode>();
    for (let set = waiting.pop(); set; set = waiting.pop()) {
      for (const selection of set.selections) {
        if (selection.kind === Kind.INLINE_FRAGMENT) waiting.push(selection.selectionSet);
        else if (selection.kind === Kind.FRAGMENT_SPREAD) {
          const fragment = fragments.get(selection.name.value);
          if (!fragment || seen.has(fragment)) continue;
          seen.add(fragment);
          waiting.push(fragment.selectionSet);
        } else {
          const roles = fieldOf(this.#schema, type, selection.name.value)?.extensions.access as RoleName[] | undefined;
          if (roles && roles.length > 0) return false;
        }
      }
    }
    return true;
  }
}

/** A validation error with Apollo's code for one. Without it, an error thrown by a scalar would look like a server error. */
const asValidationError = ({ message, nodes, originalError }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    originalError: originalError ?? null,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });

/** The cost of an operation with these variables; throws when it is over the caller's limit. */
export const priceOf = (
  { cost }: Pick<AdmittedOperation, 'cost'>,
  variables: Record<string, unknown>,
  principal: Principal | null,
): number => checkCost(cost, variables, principal ? operationLimits.cost : operationLimits.costWithoutKey);
