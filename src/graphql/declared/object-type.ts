// Object types declared as data, for the payloads of mutations and their parts.
import { Field, ObjectType } from 'type-graphql';
import type { RecordClass } from '../../records/metadata.ts';

/** A field of a payload. */
export interface Member {
  type: () => object;
  description: string;
}

export const warningsMember: Member = { type: () => [String], description: 'Warnings about accepted input.' };

/** Declares an object type of the given fields; each is null where the call, or the record, was rejected. */
export function objectType(name: string, description: string, members: Record<string, Member>): RecordClass {
  const target = { [name]: class {} }[name]!;
  for (const [member, { type, description: what }] of Object.entries(members))
    Field(type, { description: what, nullable: true })(target.prototype, member);
  ObjectType(name, { description, simpleResolvers: true })(target);
  return target;
}

export const capitalised = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
