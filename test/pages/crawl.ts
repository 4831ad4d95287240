// Follows every address in a page, its styles, its scripts and its maps, as a browser would.
import { dirname } from 'node:path';
import { expect } from 'vitest';

/** The Accept header that browsers send for an opened address. */
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** A file of the gateway, as returned. */
export interface Found {
  status: number;
  type: string;
  text: string;
}

const unescaped = (text: string): string => text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, address = '']) => address);

/** Addresses in a file; those in scripts belong to files that the build put next to it. */
function addressesIn({ type, text }: Found, path: string): string[] {
  if (type.startsWith('text/html')) return all(text, /\s(?:href|src|action)="([^"]*)"/g).map(unescaped);
  if (type.startsWith('text/css')) return all(text, /url\(\s*["']?([^"')]+)/g);
  if (type.startsWith('text/javascript'))
    return all(text, /["'`](?:\.\/|\/?assets\/)([\w.-]+\.(?:js|css|ttf|svg))["'`]/g).map((name) => `${dirname(path)}/${name}`);
  if (path === '/docs/operations.json')
    return (JSON.parse(text) as { operations: { docs: string; playground: string }[] }).operations.flatMap(({ docs, playground }) => [
      docs,
      playground,
    ]);
  return [];
}

/** Pages of the GraphQL reference to follow: the 2,000 are alike, and a test of their own holds all their links. */
const FEW = 100;
const isReference = (path: string): boolean => /^\/docs\/graphql\/\w+\//.test(path);

/** Everything reachable from `/`: the files by path and query, and every address with a fragment next to the file that contains it. */
export async function crawl(origin: string, start = '/'): Promise<{ files: Map<string, Found>; fragments: [from: string, to: string][] }> {
  const files = new Map<string, Found>();
  const fragments: [string, string][] = [];
  const waiting: [from: string, to: string][] = [['', start]];
  let references = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const url = new URL(next[1], `${origin}${next[0]}`);
    if (url.protocol === 'data:') continue;
    expect(url.origin, `${next[1]} on ${next[0]}`).toBe(origin);
    const path = url.pathname + url.search;
    if (url.hash) fragments.push([next[0], path + url.hash]);
    if (files.has(path) || (isReference(path) && references++ > FEW)) continue;
    const response = await fetch(origin + path, { headers: { accept: BROWSER } });
    const found = { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
    files.set(path, found);
    for (const address of addressesIn(found, path)) waiting.push([path, address]);
  }
  return { files, fragments };
}
