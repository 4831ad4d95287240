// The built browser files: listed once at the start, served under names with a hash, cached for ever by browsers.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { RequestHandler, Response } from 'express';
import { StaticContent } from '../../src/http/static-content.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
};
const COMPRESSED = new Set(['.js', '.css', '.svg']);

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
function builtFolder(built: string): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, built);
    if (existsSync(join(candidate, 'manifest.json'))) return candidate;
  }
  throw new Error(`${built}/manifest.json is missing: run "npm ci && npm run build" in the folder app next to it`);
}

function stylesOf(manifest: Record<string, Chunk>, name: string, seen = new Set<string>()): string[] {
  const chunk = manifest[name];
  if (!chunk || seen.has(name)) return [];
  seen.add(name);
  return [...(chunk.imports ?? []).flatMap((other) => stylesOf(manifest, other, seen)), ...(chunk.css ?? [])];
}

/** The built files: `entry` names the files of a page, `url` the address of one asset, `serve` serves `assets/...` below the base, `send` an address without a hash. */
export class Assets {
  readonly #base: string;
  readonly #folder: string;
  readonly #manifest: Record<string, Chunk>;
  readonly #names: ReadonlySet<string>;
  readonly #contents = new Map<string, StaticContent>();

  /** `built` is the folder of the build, `base` the path below which its files are served. */
  constructor(built = 'site/pages/built', base = '/') {
    this.#base = base;
    this.#folder = builtFolder(built);
    this.#manifest = JSON.parse(readFileSync(join(this.#folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
    this.#names = new Set(readdirSync(join(this.#folder, 'assets')));
  }

  url(source: string): string {
    const chunk = this.#manifest[source];
    if (!chunk) throw new Error(`${this.#folder} has no ${source}: build it again`);
    return this.#base + chunk.file;
  }

  entry(source: string): Entry {
    return { script: this.url(source), styles: [...new Set(stylesOf(this.#manifest, source))].map((file) => this.#base + file) };
  }

  readonly serve: RequestHandler = async (request, response, next) => {
    // Not decoded: the router would respond to a malformed escape with a server error.
    const name = request.path.slice(`${this.#base}assets/`.length);
    if (!this.#names.has(name)) return next();
    const extension = extname(name);
    response.set({
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    });
    if (COMPRESSED.has(extension)) await this.#content(name).send(request, response, {});
    else response.send(await this.#plain(name));
  };

  /** Sends the file of a source at an address without a hash, so it is cached for a day only. */
  async send(source: string, response: Response): Promise<void> {
    const file = this.url(source);
    const content = await this.#plain(basename(file));
    response.set({
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'public, max-age=86400',
    });
    response.send(content);
  }

  #plain(name: string): Promise<Buffer> {
    return readFile(join(this.#folder, 'assets', name));
  }

  #content(name: string): StaticContent {
    const known = this.#contents.get(name);
    if (known) return known;
    const content = new StaticContent(() => this.#plain(name));
    this.#contents.set(name, content);
    return content;
  }
}
