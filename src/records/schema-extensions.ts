// What declarations attach to the fields and types of the GraphQL schema. The schema carries it, so that endpoints and contracts read it from there.
import type { GraphQLArgument, GraphQLInputType } from 'graphql';
import type { InputRules, NamedRecords, RestShow } from './metadata.ts';
import type { RoleName } from './roles.ts';

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** Roles that may use a root field; any one suffices. */
    access?: readonly RoleName[];
    /** When REST shows the field. */
    rest?: RestShow;
    /** REST name, where it differs from the snake case of the name; several where REST repeats the value under older names. */
    jsonName?: string | string[];
    /** Most entries of a list that has no page arguments. */
    size?: number;
    /** What the field costs beside the objects of its answer. */
    price?: number;
    /** Whether its value opens something to whoever has it: a key, a signing secret, a signed link. Answers that show it are not compressed. */
    showsSecret?: true;
    /** Whether it is the same for every caller who may ask for it, so that caches may share its answer. */
    isReference?: true;
    /** The record types that its arguments name, by the names of the arguments. */
    names?: Readonly<Record<string, NamedRecords>>;
    /** How the arguments of a mutation become its one argument `input`. */
    folds?: {
      /** Arguments that never stood beside `input`. */
      added?: readonly string[];
      /** Whether the mutation begins with `input`, so that no former argument stays. */
      isNew?: boolean;
    };
    /** The name of the mutation that does the same for many records. */
    bulk?: string;
  }
  interface GraphQLArgumentExtensions {
    /** A deprecated argument as its resolver declares it; REST routes and their documents go by it. */
    declared?: GraphQLArgument;
    /** Whether it is made of arguments that the resolver declares, rather than declared itself. */
    isFolded?: boolean;
    /** The record types of which it names one. */
    names?: NamedRecords;
  }
  interface GraphQLInputFieldExtensions {
    /** Rules for the values. */
    rules?: InputRules;
    /** Whether only GraphQL has the member; bodies of REST do not. */
    graphqlOnly?: boolean;
    /** The typed member that takes its place in GraphQL; REST keeps this one. */
    supersededBy?: string;
    /** Its type before `finishInputs` made it optional in GraphQL, by which REST goes. */
    restType?: GraphQLInputType;
    /** Whether a mutation needs the member, which only a deprecated argument can replace. */
    isNeeded?: boolean;
    /** REST name, where it differs from the snake case of the name. */
    jsonName?: string;
    /** The record types of which it, or each of its members, names one. */
    names?: NamedRecords;
  }
  interface GraphQLInputObjectTypeExtensions {
    /** Names of read-only fields, which a client may send back as it read them. */
    echoes?: string[];
    /** Whether an object of the type has exactly one member. */
    isOneOf?: boolean;
    /** Whether it names a stored record, which a client may send back instead as it read it. */
    isReference?: boolean;
  }
}
