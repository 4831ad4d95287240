// Authorisation: declares the roles of a root field, and checks them.
import { Extensions } from 'type-graphql';
import { GatewayError } from '../records/errors.ts';
import type { RoleName } from '../records/roles.ts';
import type { RequestContext } from './context.ts';

/** Declares the roles that may use a root field; any one suffices. No role means everybody, even without a key. */
export const access = (...roles: RoleName[]): MethodDecorator & PropertyDecorator => Extensions({ access: roles });

/**
 * Throws UNAUTHENTICATED or FORBIDDEN unless the caller has one of the roles. The context stores the granted list by identity. A request that was
 * authorised before its body was read is not checked again by a field that declares the same list, but by every other field.
 */
export function authorise(context: RequestContext, roles: readonly RoleName[]): void {
  if (roles.length === 0 || context.granted === roles) return;
  const { principal } = context;
  if (!principal) throw new GatewayError('UNAUTHENTICATED', 'a key is required');
  if (!roles.some((role) => principal.roles.has(role))) {
    throw new GatewayError('FORBIDDEN', `the key lacks the role ${roles.join(' or ')}`, { role: roles[0]! });
  }
  context.granted = roles;
}
