// The Harmonized System as shipped: sections, chapters, headings and six-digit codes with their descriptions, read from the tables at first use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Services } from '../../access/context.ts';
import { CacheKey, Kept } from '../../runtime/caches.ts';
import { packagePath } from '../../runtime/package-root.ts';

/** The tables of codes and of everyday words; `build-package` writes them. */
export const customsTable = (file: string): string => readFileSync(join(packagePath('src', 'platform', 'customs', 'tables'), file), 'utf8');

/** A section, chapter, heading or code. */
export interface TariffEntry {
  /** Roman numeral of a section; two, four or six digits below. */
  code: string;
  description: string;
  /** Number of digits; 0 for a section. */
  level: number;
  /** The code it is under; null for a section. */
  parent: string | null;
}

/** What was built, from what. */
export interface TariffMeta {
  edition: string;
  source: { name: string; version: string; licence: string };
  counts: { digits6: number };
}

/** The Harmonized System in its own order. */
export class HarmonizedSystem {
  readonly meta: TariffMeta = JSON.parse(customsTable('meta.json')) as TariffMeta;
  readonly entries: readonly TariffEntry[];
  /** All six-digit codes. */
  readonly codes: ReadonlySet<string>;
  readonly #byCode: ReadonlyMap<string, TariffEntry>;
  readonly #below = new Map<string | null, TariffEntry[]>();

  constructor() {
    this.entries = customsTable('codes.tsv')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [code, section, description] = line.split('\t') as [string, string, string];
        const level = /^[0-9]/.test(code) ? code.length : 0;
        return { code, description, level, parent: level === 0 ? null : section || code.slice(0, -2) };
      });
    this.#byCode = new Map(this.entries.map((entry) => [entry.code, entry]));
    this.codes = new Set(this.entries.filter(({ level }) => level === 6).map(({ code }) => code));
    for (const entry of this.entries) this.#below.set(entry.parent, [...(this.#below.get(entry.parent) ?? []), entry]);
  }

  /** The entry of a code; of a longer, national code the six-digit one. Undefined for a code outside the system. */
  find(code: string): TariffEntry | undefined {
    return this.#byCode.get(code) ?? this.#byCode.get(code.slice(0, 6));
  }

  /** Whether there is such a section, chapter, heading or code. */
  has(code: string): boolean {
    return this.#byCode.has(code);
  }

  /** The entries directly under a code; the sections under null. */
  below(parent: string | null): readonly TariffEntry[] {
    return this.#below.get(parent) ?? [];
  }
}

export const harmonizedSystem = new CacheKey<Services, Kept<HarmonizedSystem>>(
  'harmonized_system',
  () => new Kept(() => new HarmonizedSystem()),
);
