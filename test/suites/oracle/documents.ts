// Random documents over the whole schema in which every position that can hold a variable does: arguments, members and elements at every depth, also
// of free-form JSON, arguments of directives, and defaults. Each variable is sent, absent, null, of another type, or has a default.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import type { Place } from '../operations.ts';
import { Random } from './random.ts';

type Field = GraphQLField<unknown, unknown>;

type Kind = 'query' | 'mutation' | 'subscription';

/** A document and the variables sent with it. */
export interface RandomDocument {
  kind: Kind;
  text: string;
  variables: Record<string, unknown>;
}

/** The values of plain places, chosen by a random number from 0 to 1. */
export type ValueOf = (place: Place, random: Random) => unknown;

/** Arguments that are left out: a wait ends by the clock, the endpoint takes an idempotency key, and a source would be called. */
const leftOut = new Set(['wait', 'idempotencyKey', 'runAsync', 'file', 'content']);

/** The share of subscriptions, each of which has to wait for a change. */
const SUBSCRIPTIONS = 0.04;

/** How often an optional position is filled, and a position holds a variable. */
const FILLED = 0.3;
const VARIABLE = 0.45;

export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #plain: ValueOf;
  readonly #roots: Record<Kind, readonly Field[]>;

  constructor(schema: GraphQLSchema, plain: ValueOf, without: RegExp) {
    this.#schema = schema;
    this.#plain = plain;
    const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields()).filter(({ name }) => !without.test(name));
    this.#roots = {
      query: fieldsOf(schema.getQueryType()!),
      mutation: fieldsOf(schema.getMutationType()!),
      subscription: fieldsOf(schema.getSubscriptionType()!),
    };
  }

  /** The document of a seed. */
  of(seed: number): RandomDocument {
    const random = new Random(seed);
    const kind = random.chance(SUBSCRIPTIONS) ? 'subscription' : random.chance(0.5) ? 'query' : 'mutation';
    return new Draft(this.#schema, this.#plain, random).of(kind, random.pick(this.#roots[kind]));
  }
}

/** One document that is being written. */
class Draft {
  readonly #schema: GraphQLSchema;
  readonly #plain: ValueOf;
  readonly #random: Random;
  readonly #declared: string[] = [];
  readonly #variables: Record<string, unknown> = {};

  constructor(schema: GraphQLSchema, plain: ValueOf, random: Random) {
    this.#schema = schema;
    this.#plain = plain;
    this.#random = random;
  }

  of(kind: Kind, root: Field): RandomDocument {
    const body = this.#field(root, 3, true);
    const declared = this.#declared.length > 0 ? `(${this.#declared.join(', ')})` : '';
    return { kind, text: `${kind}${declared} { ${body} }`, variables: this.#variables };
  }

  #field(field: Field, levels: number, isRoot = false): string {
    const given = field.args.filter(
      (argument) =>
        !leftOut.has(argument.name) &&
        (isRequiredArgument(argument) || this.#random.chance(isRoot ? 0.6 : FILLED) || argument.name === 'input'),
    );
    const args = given.map((argument) => `${argument.name}: ${this.#argument(field, argument)}`);
    const named = getNamedType(field.type);
    const inner = isLeafType(named) ? '' : this.#selections(named, levels - 1);
    const below = inner && (this.#random.chance(0.1) ? ` { ...${this.#directives()} { ${inner} } }` : ` { ${inner} }`);
    return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${isRoot ? '' : this.#directives()}${below}`;
  }

  #selections(type: ReturnType<typeof getNamedType>, levels: number): string {
    if (isAbstractType(type)) {
      const one = this.#random.pick(this.#schema.getPossibleTypes(type));
      return `__typename ... on ${one.name} { ${this.#selections(one, Math.min(levels, 1))} }`;
    }
    if (!isObjectType(type)) return '__typename';
    const fields = Object.values(type.getFields()).filter((field) => !field.args.some(isRequiredArgument));
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
    const others = fields.filter((field) => !isLeafType(getNamedType(field.type)));
    const page = others.filter(({ name }) => ['nodes', 'groups', 'edges', 'node', 'pageInfo', 'errors', 'results'].includes(name));
    const chosen = new Set<Field>();
    for (let count = 1 + this.#random.below(4); count > 0 && leaves.length > 0; count--) chosen.add(this.#random.pick(leaves));
    for (const field of page) if (levels > -2 && this.#random.chance(0.7)) chosen.add(field);
    if (levels > 0 && others.length > 0) for (let count = this.#random.below(3); count > 0; count--) chosen.add(this.#random.pick(others));
    if (chosen.size === 0) return '__typename';
    const selections = [...chosen].map((field) => this.#field(field, levels));
    if (this.#random.chance(0.15)) selections.push(this.#again(type, this.#random.pick([...chosen]), levels));
    return selections.join(' ');
  }

  /** A field without arguments once more, whose selections are merged with the first ones, or in a fragment. */
  #again(type: GraphQLObjectType, field: Field, levels: number): string {
    if (field.args.length > 0) return '__typename';
    const text = this.#field(field, levels - 1);
    return this.#random.chance(0.5) ? text : `... on ${type.name}${this.#directives()} { ${text} }`;
  }

  #directives(): string {
    if (!this.#random.chance(0.12)) return '';
    const name = this.#random.pick(['include', 'skip']);
    if (this.#random.chance(0.3)) return ` @${name}(if: ${this.#random.chance(0.5)})`;
    if (this.#random.chance(0.5)) return ` @${name}(if: ${this.#variable('Boolean!', () => this.#random.chance(0.5))})`;
    return ` @${name}(if: ${this.#withDefault('Boolean', String(this.#random.chance(0.5)), () => this.#random.chance(0.5))})`;
  }

  #argument(field: Field, argument: GraphQLArgument): string {
    return this.#position(argument, { field, owner: field.name, path: [`${field.name}.${argument.name}`], name: argument.name }, 4);
  }

  /** A position of an argument or of a member: a variable or a literal. */
  #position(position: GraphQLArgument | GraphQLInputField, place: Omit<Place, 'type'>, levels: number): string {
    return this.#value(position.type, place, levels, position.defaultValue !== undefined);
  }

  #value(type: GraphQLInputType, place: Omit<Place, 'type'>, levels: number, hasDefault = false): string {
    if (this.#random.chance(VARIABLE)) return this.#variableOf(type, place, levels, hasDefault);
    return this.#literal(type, place, levels, true);
  }

  /** A variable whose type fits the position; where a default lets it, of the nullable type. */
  #variableOf(type: GraphQLInputType, place: Omit<Place, 'type'>, levels: number, hasDefault: boolean): string {
    const sent = (): unknown => this.#json(type, place, levels);
    const isRequired = isNonNullType(type);
    const nullable = String(isRequired ? type.ofType : type);
    if (isRequired && !hasDefault && this.#random.chance(0.6)) return this.#variable(String(type), sent);
    if (isRequired && !hasDefault) return this.#withDefault(nullable, this.#literal(type, place, levels, false), sent);
    if (this.#random.chance(0.25))
      return this.#withDefault(nullable, this.#literal(isRequired ? type.ofType : type, place, levels, false), sent);
    return this.#variable(nullable, sent);
  }

  #withDefault(type: string, literal: string, sent: () => unknown): string {
    return literal === 'null' ? this.#variable(type, sent) : this.#variable(`${type} = ${literal}`, sent);
  }

  /** Declares a variable and decides what is sent for it. */
  #variable(declaration: string, sent: () => unknown): string {
    const name = `v${this.#declared.length}`;
    this.#declared.push(`$${name}: ${declaration}`);
    const isRequired = declaration.endsWith('!');
    const state = this.#random.next();
    if (state < (isRequired ? 0.9 : 0.5)) this.#variables[name] = sent();
    else if (state < (isRequired ? 0.93 : 0.75)) return `$${name}`;
    else if (state < (isRequired ? 0.96 : 0.93)) this.#variables[name] = null;
    else this.#variables[name] = this.#random.pick([{ other: true }, [[{}]], '\u0000', 1.5, true]);
    return `$${name}`;
  }

  /** The members of an input object that are given. */
  #members(type: GraphQLInputType, levels: number): GraphQLInputField[] {
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return [];
    const fields = Object.values(named.getFields()).filter(({ name }) => !leftOut.has(name));
    if (named.isOneOf) return [this.#random.pick(fields)];
    return fields.filter(
      (field) => isRequiredInputField(field) || field.extensions.isNeeded === true || (levels > 0 && this.#random.chance(FILLED)),
    );
  }

  /** A literal, with variables inside unless it is constant. */
  #literal(type: GraphQLInputType, place: Omit<Place, 'type'>, levels: number, mayVary: boolean): string {
    const inner = (of: GraphQLInputType, at: Omit<Place, 'type'>, hasDefault = false): string =>
      mayVary ? this.#value(of, at, levels - 1, hasDefault) : this.#literal(of, at, levels - 1, false);
    if (isNonNullType(type)) return this.#literal(type.ofType, place, levels, mayVary);
    if (isListType(type)) {
      if (this.#random.chance(0.1)) return this.#literal(type.ofType, place, levels, false);
      return `[${Array.from({ length: this.#random.below(3) }, () => inner(type.ofType, place)).join(', ')}]`;
    }
    if (isInputObjectType(type)) {
      const members = this.#members(type, levels).map((field) => {
        const at = { field: place.field, owner: type.name, path: [...place.path, field.name], name: field.name };
        if (type.isOneOf) return `${field.name}: ${this.#literal(field.type, at, levels - 1, false)}`;
        return `${field.name}: ${inner(field.type, at, field.defaultValue !== undefined)}`;
      });
      return `{ ${members.join(', ')} }`;
    }
    if (isEnumType(type)) return this.#random.pick(type.getValues()).name;
    if (type.name === 'JSON' || type.name === 'JSONObject') return this.#freeForm(mayVary, type.name === 'JSONObject', 2);
    const value = this.#plain({ ...place, type } as Place, this.#random);
    return value === null ? 'null' : JSON.stringify(value);
  }

  /** Free-form JSON as a literal. */
  #freeForm(mayVary: boolean, isObject: boolean, levels: number): string {
    const kind = isObject ? 0 : this.#random.next();
    const inner = (): string => {
      if (mayVary && this.#random.chance(0.5))
        return this.#variable(this.#random.pick(['String', 'Int', 'Boolean', 'JSON', '[Int]', 'JSONObject', 'String = "else"']), () =>
          this.#random.pick(['text', 7, true, { a: [1] }, [1, 2]]),
        );
      return levels > 0 ? this.#freeForm(mayVary, false, levels - 1) : '1';
    };
    if (kind < 0.5)
      return `{ ${['k', 'l', 'm']
        .slice(0, 1 + this.#random.below(3))
        .map((key) => `${key}: ${inner()}`)
        .join(', ')} }`;
    if (kind < 0.7) return `[${Array.from({ length: this.#random.below(3) }, inner).join(', ')}]`;
    return this.#random.pick(['1', '"text"', 'true', '2.5', 'null']);
  }

  /** A value to send for a variable, without what is wrong with it. */
  #json(type: GraphQLInputType, place: Omit<Place, 'type'>, levels: number): unknown {
    if (isNonNullType(type)) return this.#json(type.ofType, place, levels);
    if (isListType(type)) return Array.from({ length: this.#random.below(3) }, () => this.#json(type.ofType, place, levels - 1));
    if (isInputObjectType(type))
      return Object.fromEntries(
        this.#members(type, levels).map((field) => [
          field.name,
          this.#json(field.type, { field: place.field, owner: type.name, path: [...place.path, field.name], name: field.name }, levels - 1),
        ]),
      );
    if (isEnumType(type)) return this.#random.pick(type.getValues()).name;
    if (type.name === 'JSON' || type.name === 'JSONObject') return { k: [1, { l: 'text' }] };
    return this.#plain({ ...place, type } as Place, this.#random);
  }
}
