// What declarations attach to the fields and types of the GraphQL schema. The schema carries it, so that endpoints and contracts read it from there.
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  isListType,
  isNonNullType,
} from 'graphql';
import { Extensions } from 'type-graphql';
import type { InputRules, NamedRecords, RestShow } from './metadata.ts';
import type { RoleName } from './roles.ts';
import { PositiveInt } from './scalars.ts';

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** Roles that may use a root field; any one suffices. */
    access?: readonly RoleName[];
    /** When REST shows the field. */
    rest?: RestShow;
    /** REST name, where it differs from the snake case of the name; several where REST repeats the value under older names. */
    jsonName?: string | string[];
    /** The values that a text of REST can have, where they are a closed list. */
    choices?: readonly string[];
    /** Most entries of a list; of one with an argument `first`, where the caller gives none. */
    size?: number;
    /** The paths of arguments with a list of subjects, one of which a caller gives. The field returns as many objects for each entry. */
    sizedBy?: readonly string[];
    /** What the field costs besides the objects of its response, for each entry where it is sized by a list. */
    price?: number;
    /** The arguments that ask for more results of the same price: as many as a number says, and one for any other value. */
    pricedBy?: ReadonlySet<string>;
    /** Whether its value opens something to anyone who has it: a key, a signing secret, a signed link. Responses that show it are not compressed. */
    showsSecret?: true;
    /** Whether it is the same for every caller who may ask for it, so that caches may share its response. */
    isReference?: true;
    /** The record types that its arguments name, by the names of the arguments. */
    names?: Readonly<Record<string, NamedRecords>>;
    /** The one argument `input` of a mutation, and the arguments that its resolver declares, by which REST routes and their documents go. */
    inputArgument?: { argument: GraphQLArgument; declared: readonly GraphQLArgument[] };
    /** Whether a mutation takes the version of the one record that it changes, from its input or from the header of a REST route. */
    takesVersion?: true;
  }
  interface GraphQLArgumentExtensions {
    /** The record types of which it names one. */
    names?: NamedRecords;
    /** Whether it names a record by its number, or several by theirs, where the schema has `ID`. */
    isNumber?: boolean;
  }
  interface GraphQLInputFieldExtensions {
    /** Rules for the values. */
    rules?: InputRules;
    /** Whether the argument names the record itself, where that is one of a list. A mutation of one record names it by a member of its own. */
    isOwnId?: boolean;
    /** Whether only GraphQL has the member; bodies of REST do not. */
    graphqlOnly?: boolean;
    /** Whether REST requires a member that GraphQL has a typed one for. */
    isRestRequired?: boolean;
    /** Whether it names a record by its number, or several by theirs, where the schema has `ID`. */
    isNumber?: boolean;
    /** REST name, where it differs from the snake case of the name. */
    jsonName?: string;
    /** The record types of which it, or each of its members, names one. */
    names?: NamedRecords;
    /** The member next to it that names the same record by its number, or the same records by theirs. */
    numberedBy?: string;
  }
  interface GraphQLInputObjectTypeExtensions {
    /** Names of read-only fields, which a client may send back as it read them. */
    roundTrips?: string[];
    /** The member with the code of each record that a read shows next to it, by the name of that record. */
    codedBy?: Record<string, string>;
    /** Whether an object of the type has exactly one member. */
    isOneOf?: boolean;
    /** The REST name of the number of the record itself, which is no member of the type, and the type of the record. */
    ownNumber?: { name: string; names: NamedRecords };
    /** Whether reads show a computed record in the place of one that the company does not have. */
    standsIn?: boolean;
    /** Whether it names a stored record, which a client may send back instead as it read it. */
    isReference?: boolean;
  }
}

const withNumbers = (type: GraphQLInputType): GraphQLInputType => {
  if (isNonNullType(type)) return new GraphQLNonNull(withNumbers(type.ofType));
  return isListType(type) ? new GraphQLList(withNumbers(type.ofType)) : PositiveInt;
};

/** The type of an argument or of the member of an input as its resolver gets it: `PositiveInt` where the schema has `ID` for a number. */
export const numberedType = ({ type, extensions }: GraphQLArgument | GraphQLInputField): GraphQLInputType =>
  extensions.isNumber ? withNumbers(type) : type;

/** The type of an argument or of the member of an input on REST, where a record has its number. */
export const restTypeOf = (member: GraphQLArgument | GraphQLInputField): GraphQLInputType =>
  (member.extensions as GraphQLInputField['extensions']).isRestRequired ? new GraphQLNonNull(member.type) : numberedType(member);

/** Declares a field with a secret: a key, a signing secret or a signed link. Responses that show it are not compressed. */
export const showsSecret: MethodDecorator & PropertyDecorator = Extensions({ showsSecret: true });

/** Declares a root field of reference data: the same for every caller who may ask for it, so that caches may share its response. */
export const isReference: MethodDecorator & PropertyDecorator = Extensions({ isReference: true });
