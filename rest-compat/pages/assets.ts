// The built browser files: listed once at the start, served under names with a hash, cached for ever by browsers.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler, Response } from 'express';

const compress = promisify(gzip);
const BUILT = 'rest-compat/pages/built';
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};
const COMPRESSED = new Set(['.js', '.css', '.svg', '.ttf']);

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** Addresses of the files one page needs. */
export interface Entry {
  readonly script: string;
  readonly styles: readonly string[];
}

// Searches upwards, because the code also runs from the compiler's output folder, which holds no assets.
function builtFolder(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, BUILT);
    if (existsSync(join(candidate, 'manifest.json'))) return candidate;
  }
  throw new Error(`${BUILT}/manifest.json is missing: run "npm ci && npm run build" in rest-compat/pages/app`);
}

function stylesOf(manifest: Record<string, Chunk>, name: string, seen = new Set<string>()): string[] {
  const chunk = manifest[name];
  if (!chunk || seen.has(name)) return [];
  seen.add(name);
  return [...(chunk.imports ?? []).flatMap((other) => stylesOf(manifest, other, seen)), ...(chunk.css ?? [])];
}

/** The built files: `entry` names the files of a page, `url` the address of one asset, `serve` answers `/assets/...`, `send` an address without a hash. */
export class Assets {
  readonly #folder = builtFolder();
  readonly #manifest = JSON.parse(readFileSync(join(this.#folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  readonly #names = new Set(readdirSync(join(this.#folder, 'assets')));
  readonly #packed = new Map<string, Promise<Buffer>>();

  url(source: string): string {
    const chunk = this.#manifest[source];
    if (!chunk) throw new Error(`the built pages have no ${source}: build rest-compat/pages/app again`);
    return `/${chunk.file}`;
  }

  entry(source: string): Entry {
    return { script: this.url(source), styles: [...new Set(stylesOf(this.#manifest, source))].map((file) => `/${file}`) };
  }

  readonly serve: RequestHandler = async (request, response, next) => {
    // Not decoded: the router would answer a malformed escape with a server error.
    const name = request.path.slice('/assets/'.length);
    if (!this.#names.has(name)) return next();
    const extension = extname(name);
    response.set({
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    if (!COMPRESSED.has(extension)) return void response.send(await this.#plain(name));
    response.vary('accept-encoding');
    if (!request.acceptsEncodings('gzip')) return void response.send(await this.#plain(name));
    response.set('content-encoding', 'gzip').send(await this.#compressed(name));
  };

  /** Sends the file of a source at an address without a hash, so it is cached for a day only. */
  async send(source: string, response: Response): Promise<void> {
    const file = this.url(source);
    const content = await this.#plain(basename(file));
    response.set({
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    response.send(content);
  }

  #plain(name: string): Promise<Buffer> {
    return readFile(join(this.#folder, 'assets', name));
  }

  // The largest file takes a tenth of a second to compress, so each file is compressed at its first request and cached.
  #compressed(name: string): Promise<Buffer> {
    const known = this.#packed.get(name);
    if (known) return known;
    const packed = this.#plain(name).then((content) => compress(content));
    this.#packed.set(name, packed);
    packed.catch(() => this.#packed.delete(name));
    return packed;
  }
}
