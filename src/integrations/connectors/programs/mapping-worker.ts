// The thread that maps the records of one run: it takes them one by one, and returns what each becomes.
import { parentPort, workerData } from 'node:worker_threads';
import { Evaluator, type Expressions, wordsOf } from './expressions.ts';
import type { JsonObject } from './protocol.ts';

/** A record to map. */
export interface MappingTask {
  dataModel: string;
  stream: string;
  data: JsonObject;
}

/** What a record becomes, as JSON because lists of the library have methods of their own; or why it cannot be mapped. */
export type MappingResult = { json: string } | { words: string };

/** Characters of what one record may become: the event loop parses them in one piece. */
const MAX_MAPPED = 4_194_304;

/** JSON has no infinite numbers and would make null of them: an amount divided by a quantity of 0. */
function finite(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${name} becomes ${value}, as by a division by 0`);
  return value;
}

/** The response for what a record becomes. */
function resultOf(mapped: object): MappingResult {
  const json = JSON.stringify(mapped, finite);
  return json.length > MAX_MAPPED ? { words: `a record becomes more than ${MAX_MAPPED} characters` } : { json };
}

const evaluator = new Evaluator(workerData as Expressions);

parentPort!.on('message', ({ dataModel, stream, data }: MappingTask) => {
  evaluator
    .apply(dataModel, stream, data)
    .then((mapped) => parentPort!.postMessage(resultOf(mapped)))
    .catch((error: unknown) => parentPort!.postMessage({ words: wordsOf(error) } satisfies MappingResult));
});
