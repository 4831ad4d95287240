// The recorded examples: requests to a gateway with the demo data, and its responses. `npm run examples` writes them, and a test keeps them true.
import { readFileSync } from 'node:fs';
import { packagePath } from '../../src/runtime/package-root.ts';

/** A recorded call of a REST route. */
export interface RecordedRest {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly form?: Readonly<Record<string, string>>;
  };
  readonly status: number;
  /** The body of the response; absent where it has none. */
  readonly response?: unknown;
}

/** A recorded operation on /graphql. */
export interface RecordedGraphql {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** What it cost, of the limit that `/limits` names; absent for a subscription, whose response is its first message. */
  readonly cost?: number;
  readonly response: unknown;
}

/** Calls by the name of the REST operation, and operations by the root field that they show. */
export interface Recordings {
  readonly rest: Readonly<Record<string, RecordedRest>>;
  readonly graphql: Readonly<Record<string, RecordedGraphql>>;
}

/** Place of the file below the package. */
export const RECORDINGS = ['schema', 'examples.json'] as const;

/** Reads the recordings. */
export const readRecordings = (): Recordings => JSON.parse(readFileSync(packagePath(...RECORDINGS), 'utf8')) as Recordings;
