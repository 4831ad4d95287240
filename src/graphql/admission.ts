// What stands between a parsed document and its operation: whether the caller may ask it at all, the limits, then validation. Each is judged once per document.
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

/** Validation words unknown names with what may have been meant, each compared with every name of the schema: half a millisecond an error. */
const MOST_ERRORS = 20;

/** What is known of an operation before it runs. */
export interface AdmittedOperation {
  /** Whether every field at its root is open to callers without a key. */
  isOpen: boolean;
  cost: CostFunction;
  /** A standard introspection is ready. */
  standard: Operation | undefined;
}

interface Judgement {
  errors: readonly Error[];
  operations: Map<OperationDefinitionNode, AdmittedOperation>;
}

/** Judges documents over one schema. */
export class Admission {
  readonly #introspection: StandardIntrospection;
  readonly #schema: GraphQLSchema;
  readonly #rules: typeof specifiedRules;
  readonly #judgements = new WeakMap<DocumentNode, Judgement>();

  constructor(schema: GraphQLSchema, allowsIntrospection: boolean) {
    this.#schema = schema;
    this.#rules = allowsIntrospection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    this.#introspection = new StandardIntrospection(schema);
  }

  /** Why the caller may not run anything of a document: errors of ours or of validation; empty when it may. */
  errors(document: DocumentNode, principal: Principal | null): readonly Error[] {
    if (!principal && !this.#isOpenDocument(document)) return [new GatewayError('UNAUTHENTICATED', 'a key is required')];
    return this.#judge(document).errors;
  }

  /** An operation of a document without errors. */
  operation(document: DocumentNode, node: OperationDefinitionNode): AdmittedOperation {
    return this.#judge(document).operations.get(node)!;
  }

  #judge(document: DocumentNode): Judgement {
    let judgement = this.#judgements.get(document);
    if (!judgement) {
      judgement = this.#judgedNow(document);
      this.#judgements.set(document, judgement);
    }
    return judgement;
  }

  #judgedNow(document: DocumentNode): Judgement {
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

  /** Fields that do not exist count as open: validation then names them. */
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

/** An error of validation marked as such: one that a scalar raised would pass for an issue of ours. */
const asValidationError = ({ message, nodes, originalError }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    originalError: originalError ?? null,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });

/** What an operation costs with these variables; refuses one that is too dear for its caller. */
export const priceOf = (
  { cost }: Pick<AdmittedOperation, 'cost'>,
  variables: Record<string, unknown>,
  principal: Principal | null,
): number => checkCost(cost, variables, principal ? operationLimits.cost : operationLimits.costWithoutKey);
