// Admission of parsed documents: whether a caller without a key may send it, the limits, then validation. Limits and validation run once per document.
import {
  type ASTVisitFn,
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  KnownTypeNamesRule,
  type NamedTypeNode,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  type SelectionSetNode,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  validate,
} from 'graphql';
import type { RequestContext } from '../access/context.ts';
import type { Principal } from '../access/principal.ts';
import { GatewayError } from '../records/errors.ts';
import type { RoleName } from '../records/roles.ts';
import type { Operation } from './executor.ts';
import { introspectionSizes, type ListSizes } from './introspection-sizes.ts';
import { type CostFunction, checkCost, checkDocument, fieldOf, fragmentsOf, operationLimits } from './query-cost.ts';
import type { StandardIntrospection } from './standard-introspection.ts';

/** Validation compares each unknown name with all that it may have meant. */
const MAX_ERRORS = 20;

/** As the rule of graphql-js, but it suggests types for the first unknown one alone: each is compared with all 1,400, which takes 2.5 ms. */
function knownTypeNames(context: ValidationContext): ASTVisitor {
  const { NamedType: visit } = KnownTypeNamesRule(context) as { NamedType: ASTVisitFn<NamedTypeNode> };
  let hasSuggested = false;
  return {
    NamedType(node, ...place) {
      const name = node.name.value;
      if (context.getSchema().getType(name)) return;
      if (hasSuggested) context.reportError(new GraphQLError(`Unknown type "${name}".`, { nodes: node }));
      else visit(node, ...place);
      hasSuggested = true;
    },
  };
}

const RULES = specifiedRules.map((rule) => (rule === KnownTypeNamesRule ? knownTypeNames : rule));

/** What the admission knows about an operation before it runs. */
export interface AdmittedOperation {
  /** The roles of each root field that needs a key. None where all are open to callers without one. */
  access: readonly (readonly RoleName[])[];
  cost: CostFunction;
  /** The cached introspection, where the operation is a standard one. */
  standard: Operation | undefined;
}

/** An admitted operation, ready to run. */
export interface Prepared extends AdmittedOperation {
  operation: Operation;
}

interface Verdict {
  errors: readonly Error[];
  operations: Map<OperationDefinitionNode, AdmittedOperation>;
}

/** Admits documents over one schema. */
export class Admission {
  readonly #introspection: StandardIntrospection;
  readonly #schema: GraphQLSchema;
  readonly #sizes: ListSizes;
  readonly #rules: readonly ValidationRule[];
  readonly #verdicts = new WeakMap<DocumentNode, Verdict>();

  constructor(schema: GraphQLSchema, allowsIntrospection: boolean, introspection: StandardIntrospection) {
    this.#schema = schema;
    this.#sizes = introspectionSizes(schema);
    this.#rules = allowsIntrospection ? RULES : [...RULES, NoSchemaIntrospectionCustomRule];
    this.#introspection = introspection;
  }

  /** The errors for which a document is rejected, ours or those of validation; empty when it is admitted. */
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
      costs = checkDocument(this.#schema, document, this.#sizes);
    } catch (error) {
      if (error instanceof GatewayError || error instanceof GraphQLError) return { errors: [error], operations: new Map() };
      throw error;
    }
    const errors = validate(this.#schema, document, this.#rules, { maxErrors: MAX_ERRORS }).map(asValidationError);
    const operations = new Map<OperationDefinitionNode, AdmittedOperation>();
    if (errors.length > 0) return { errors, operations };
    const fragments = fragmentsOf(document);
    for (const [node, cost] of costs) {
      const standard = this.#introspection.operation(document, node);
      operations.set(node, {
        access: this.#accessOf(node, fragments),
        cost: standard ? () => operationLimits.costWithoutKey : cost,
        standard,
      });
    }
    return { errors, operations };
  }

  #isOpenDocument(document: DocumentNode): boolean {
    const fragments = fragmentsOf(document);
    return document.definitions.every((node) => node.kind !== Kind.OPERATION_DEFINITION || this.#accessOf(node, fragments).length === 0);
  }

  /** Fields that do not exist count as open: validation then reports them. */
  #accessOf(operation: OperationDefinitionNode, fragments: Map<string, FragmentDefinitionNode>): (readonly RoleName[])[] {
    const access: (readonly RoleName[])[] = [];
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
          const roles = fieldOf(this.#schema, type, selection.name.value)?.extensions.access;
          if (roles && roles.length > 0) access.push(roles);
        }
      }
    }
    return access;
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
): number => checkCost(cost, variables, costLimitOf(principal));

/** The same, noted for a caller who asked what the request costs. */
export function pricedFor(operation: Pick<AdmittedOperation, 'cost'>, variables: Record<string, unknown>, context: RequestContext): number {
  const cost = priceOf(operation, variables, context.principal);
  if (context.usage) Object.assign(context.usage, { cost, costLimit: costLimitOf(context.principal) });
  return cost;
}

/** Runs an operation of a price when it is its turn. */
export const inTurn = <T>({ turn }: RequestContext, price: number, run: () => T | Promise<T>): T | Promise<T> =>
  turn ? turn.during(price, run) : run();

const costLimitOf = (principal: Principal | null): number => (principal ? operationLimits.cost : operationLimits.costWithoutKey);
