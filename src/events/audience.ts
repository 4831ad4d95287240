// Subscribers whose responses are the same: those of equal rights that sent the same operation with the same variables.
import { hash } from 'node:crypto';
import { type GraphQLResolveInfo, print } from 'graphql';
import type { RequestContext } from '../access/context.ts';

/** Names the subscribers within an organisation that get the same responses as the caller. What is read for one of them serves all. */
export function audienceOf({ principal }: RequestContext, { operation, fragments, variableValues }: GraphQLResolveInfo): string {
  const rights = [[...principal!.roles].sort(), principal!.companyIds && [...principal!.companyIds].sort()];
  const text = [operation, ...Object.values(fragments)].map(print);
  return hash('sha256', JSON.stringify([rights, text, variableValues]), 'hex');
}
