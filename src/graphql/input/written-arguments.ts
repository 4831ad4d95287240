// Arguments that a document writes as objects and lists, for an executor that only knows arguments of one variable: graphql-js makes their values.
import {
  BREAK,
  type DocumentNode,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  type VariableNode,
  valueFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** A variable in the place of a written value. */
export interface StandInNode extends VariableNode {
  written: ValueNode;
}

/** An operation whose arguments are variables and single values, and the values of the variables that it has more. */
export interface WrittenArguments {
  document: DocumentNode;
  /**
   * The variables of a run with the written values. Returns undefined where a value is not of its type, which graphql-js reports at each of its
   * fields. With `isReported`, issues of variables are known already and a payload reports them: what is there of such a value is used then.
   */
  complete: (variables: Record<string, unknown>, isReported: boolean) => Record<string, unknown> | undefined;
}

/** The value that a document has at a place, written there or passed as a variable. */
export const writtenValue = (node: ValueNode): ValueNode => ('written' in node ? (node as StandInNode).written : node);

/** Whether a value contains a variable, by which it differs between runs. */
function hasVariables(node: ValueNode): boolean {
  let found = false;
  visit(node, {
    Variable: () => {
      found = true;
      return BREAK;
    },
  });
  return found;
}

/**
 * The type of a written value with only the members that the value has, and those that have a default. graphql-js goes through all members at each
 * run, and a filter has hundreds.
 */
function narrowed(type: GraphQLInputType, node: ValueNode): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(narrowed(type.ofType, node));
  if (!isInputObjectType(type) || node.kind !== Kind.OBJECT) return type;
  const written = new Map(node.fields.map(({ name, value }) => [name.value, value]));
  const members = Object.values(type.getFields()).flatMap(({ name, type: member, defaultValue }) => {
    const value = written.get(name);
    if (value) return [[name, { type: narrowed(member, value), defaultValue }] as const];
    return defaultValue !== undefined || isNonNullType(member) ? [[name, { type: member, defaultValue }] as const] : [];
  });
  return new GraphQLInputObjectType({ name: type.name, isOneOf: type.isOneOf, fields: Object.fromEntries(members) });
}

/** GraphQL leaves names with two underscores to its own schema. */
const PREFIX = '__argument';

/**
 * graphql-jit writes null where a variable within them is absent, and leaves out the defaults of such members. It does not pass variables to the
 * scalars of free-form JSON.
 */
export function writtenArguments(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): WrittenArguments {
  const written: { name: string; value: ValueNode; type: GraphQLInputType; constant: unknown }[] = [];
  const required = new Set<string>();
  const typeInfo = new TypeInfo(schema);
  const definitions = document.definitions.filter((node) => node === operation || node.kind === Kind.FRAGMENT_DEFINITION);
  const replaced = visit(
    { ...document, definitions },
    visitWithTypeInfo(typeInfo, {
      Argument: (node) => {
        const type = typeInfo.getArgument()?.type;
        const { value } = node;
        if (!type) return undefined;
        if (value.kind === Kind.VARIABLE && isNonNullType(type)) required.add(value.name.value);
        if ((value.kind !== Kind.OBJECT && value.kind !== Kind.LIST) || typeInfo.getDirective()) return undefined;
        const name = `${PREFIX}${written.length}`;
        const constant = hasVariables(value) ? undefined : valueFromAST(value, type);
        written.push({ name, value, type: narrowed(type, value), constant });
        return { ...node, value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name }, written: value } as StandInNode };
      },
    }),
  );
  const more = written.map(
    ({ name }): VariableDefinitionNode => ({
      kind: Kind.VARIABLE_DEFINITION,
      variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
      type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } },
    }),
  );
  const complete: WrittenArguments['complete'] = (variables, isReported) => {
    for (const name of required) if (variables[name] === null) return undefined;
    if (written.length === 0) return variables;
    const all = { ...variables };
    for (const { name, value, type, constant } of written) {
      all[name] = constant ?? valueFromAST(value, type, variables) ?? (isReported ? valueFromASTUntyped(value, variables) : undefined);
      if (all[name] === undefined) return undefined;
    }
    return all;
  };
  return {
    document: {
      ...replaced,
      definitions: replaced.definitions.map((node) =>
        node.kind === Kind.OPERATION_DEFINITION ? { ...node, variableDefinitions: [...(node.variableDefinitions ?? []), ...more] } : node,
      ),
    },
    complete,
  };
}
