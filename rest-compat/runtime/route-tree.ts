// Finds the route of a request in a tree of path segments. The cost of a look-up grows with the segments of the path, not with the number of routes.
import { GatewayError } from '../../src/records/errors.ts';
import type { Route } from '../routes/route.ts';

interface Branch<T> {
  fixed: Map<string, Branch<T>>;
  parameter?: Branch<T>;
  methods: Map<string, { entry: T; names: string[] }>;
}

const branch = <T>(): Branch<T> => ({ fixed: new Map(), methods: new Map() });

/** The route that was found, with the values of its path parameters. */
export interface Match<T> {
  entry: T;
  params: Record<string, string>;
}

/** The routes of one host. */
export class RouteTree<T> {
  readonly #root: Branch<T> = branch();

  add(route: Pick<Route, 'method' | 'path'>, entry: T): void {
    let at = this.#root;
    const names: string[] = [];
    for (const segment of route.path.split('/').slice(1)) {
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1));
        at = at.parameter ??= branch();
      } else {
        let next = at.fixed.get(segment);
        if (!next) {
          next = branch();
          at.fixed.set(segment, next);
        }
        at = next;
      }
    }
    if (at.methods.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    at.methods.set(route.method, { entry, names });
  }

  /**
   * The entry for a request. Returns undefined for an unknown path, such as a known one with a slash at its end, and METHOD_NOT_ALLOWED for a known
   * path with another method.
   */
  find(method: string, pathname: string): Match<T> | undefined {
    const segments = pathname.split('/').slice(1);
    const values: string[] = [];
    const found = this.#descend(this.#root, segments, 0, values);
    if (!found) return undefined;
    const served = found.methods.get(method);
    if (!served) {
      const allow = [...found.methods.keys()].sort();
      throw new GatewayError('METHOD_NOT_ALLOWED', `method not allowed; use ${allow.join(', ')}`, { allow });
    }
    return { entry: served.entry, params: Object.fromEntries(served.names.map((name, index) => [name, decode(values[index]!, name)])) };
  }

  #descend(at: Branch<T>, segments: string[], depth: number, values: string[]): Branch<T> | undefined {
    if (depth === segments.length) return at.methods.size > 0 ? at : undefined;
    const segment = segments[depth]!;
    const fixed = at.fixed.get(segment);
    const found = fixed && this.#descend(fixed, segments, depth + 1, values);
    if (found) return found;
    if (!at.parameter || segment === '') return undefined;
    values.push(segment);
    const below = this.#descend(at.parameter, segments, depth + 1, values);
    if (!below) values.pop();
    return below;
  }
}

/** The path of a route with the values of its parameters, in one spelling and the same on every host. */
export const pathOf = (route: Pick<Route, 'path'>, params: Record<string, string>): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));

/** Undoes percent-encoding; INVALID_PARAMS for a malformed one. */
export function decode(text: string, field: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new GatewayError('INVALID_PARAMS', `${field} has a malformed percent-encoding`, {
      field,
      issues: [{ field, code: 'INVALID_FORMAT', message: `${field} has a malformed percent-encoding` }],
    });
  }
}

/** A query string as flat names and values; a name given twice is rejected. */
export function parseQuery(search: string): Map<string, string> {
  const values = new Map<string, string>();
  if (search.length < 2) return values;
  for (const part of search.slice(1).split('&')) {
    if (part === '') continue;
    const cut = part.indexOf('=');
    const name = decode((cut < 0 ? part : part.slice(0, cut)).replaceAll('+', ' '), 'query');
    if (values.has(name))
      throw new GatewayError('INVALID_PARAMS', `${name} is given more than once`, {
        field: name,
        issues: [{ field: name, code: 'DUPLICATE', message: `${name} is given more than once` }],
      });
    values.set(name, decode((cut < 0 ? '' : part.slice(cut + 1)).replaceAll('+', ' '), name));
  }
  return values;
}
