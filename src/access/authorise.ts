// Authorisation: which roles open a root field, and the one check of it.
import { Extensions } from 'type-graphql';
import { GatewayError } from '../records/errors.ts';
import type { RequestContext } from './context.ts';
import type { RoleName } from './principal.ts';

/** Declares the roles (any one suffices) that may use a root field; none means everybody, also without a key. */
export const access = (...roles: RoleName[]): MethodDecorator & PropertyDecorator =>
  Extensions({ access: roles }) as MethodDecorator & PropertyDecorator;

/**
 * Throws UNAUTHENTICATED or FORBIDDEN unless the caller has one of the roles. What was granted is remembered by the declared list itself, so
 * that a request that was authorised before its body was read is not checked again by its field, and any other field is.
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
