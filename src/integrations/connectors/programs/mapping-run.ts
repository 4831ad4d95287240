// Maps the records of one run in a thread of its own, which leaves the event loop to requests. The thread is ended when a record takes too much of
// the processor.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GatewayError } from '../../../records/errors.ts';
import { owned } from '../../../runtime/owned.ts';
import type { Expressions, Mapped } from './expressions.ts';
import type { MappingResult, MappingTask } from './mapping-worker.ts';

/** Processor time that a record may take: a busy machine makes a large record slow, not wrong. */
const MAX_CPU_MS = 5_000;
/** How often it is looked at. */
const LOOK_MS = 100;
/**
 * Megabytes of the heap of a thread, in addition to that of the process in one container. An invoice of 20,000 lines takes less than 48. At most
 * seven threads run, of four previews and three pulls.
 */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** The mapping for one run. Records are mapped one after the other; the thread begins with the first of them. */
export class MappingRun {
  readonly #expressions: Expressions;
  readonly #mostCpuMs: number;
  #worker: Worker | undefined;

  constructor(expressions: Expressions, mostCpuMs = MAX_CPU_MS) {
    this.#expressions = expressions;
    this.#mostCpuMs = mostCpuMs;
  }

  /** The streams that records of a data model are made of. */
  streamsOf(dataModel: string): ReadonlySet<string> {
    const streams = Object.entries(this.#expressions.streams);
    return new Set(streams.filter(([, rules]) => rules.some((rule) => rule.dataModel === dataModel)).map(([name]) => name));
  }

  get streams(): ReadonlySet<string> {
    return new Set(Object.keys(this.#expressions.streams));
  }

  /** What a record of a stream becomes as records of a data model. Throws PLATFORM_ERROR where an expression fails: nothing may be left out. */
  async apply(dataModel: string, stream: string, data: MappingTask['data']): Promise<Mapped> {
    const response = await this.#mapped({ dataModel, stream, data });
    if ('json' in response) return JSON.parse(response.json) as Mapped;
    throw new GatewayError('PLATFORM_ERROR', `the mapping of stream ${stream} to ${dataModel} failed: ${response.words}`);
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #mapped(task: MappingTask): Promise<MappingResult> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const ended = Promise.withResolvers<MappingResult>();
    const failed = (words: string) => ended.resolve({ words });
    const onError = (error: Error) => failed(error.message);
    const onExit = () => failed('its thread has ended');
    worker.once('message', ended.resolve).once('error', onError).once('exit', onExit);
    let usedBefore: NodeJS.CpuUsage | undefined;
    const look = async (): Promise<void> => {
      const used = await worker.cpuUsage(usedBefore);
      if (usedBefore === undefined) usedBefore = used;
      else if ((used.user + used.system) / 1_000 > this.#mostCpuMs) failed(`a record takes more than ${this.#mostCpuMs / 1_000} seconds`);
    };
    // A thread that has ended sends nothing more.
    const looking = setInterval(() => look().catch(() => {}), LOOK_MS);
    try {
      worker.postMessage(task);
      const response = await ended.promise;
      if ('words' in response) await this.close();
      return response;
    } finally {
      clearInterval(looking);
      worker.off('message', ended.resolve).off('error', onError).off('exit', onExit);
    }
  }

  #start(): Worker {
    // Compiled next to this file, and in its source form where that runs itself.
    const file = new URL(`./mapping-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = owned(new Worker(file, { workerData: this.#expressions, resourceLimits: HEAP, env: {} }));
    worker.unref();
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }
}
