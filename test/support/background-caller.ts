// A caller next to a load, on a thread of its own so that the load does not delay the measurement. It repeats its requests one after the other.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** A request that is repeated. */
export interface RepeatedCall {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** A response to one: its status, 0 where none came, and the milliseconds until its end. */
export interface SeenResponse {
  name: string;
  status: number;
  ms: number;
  /** What the body begins with, where the request failed. */
  failure?: string;
}

/** A caller that repeats its requests until it is stopped. */
export interface BackgroundCaller {
  /** The responses since the last call. */
  take(): Promise<SeenResponse[]>;
  stop(): Promise<void>;
}

/** Starts a caller. */
export function startBackgroundCaller(origin: string, calls: readonly RepeatedCall[]): BackgroundCaller {
  const worker = new Worker(new URL(import.meta.url), { workerData: { origin, calls } });
  return {
    async take() {
      worker.postMessage('take');
      return (await once(worker, 'message'))[0];
    },
    stop: async () => void (await worker.terminate()),
  };
}

function send(agent: Agent, origin: string, { name, method, path, headers, body }: RepeatedCall): Promise<SeenResponse> {
  const began = performance.now();
  return new Promise((resolve) => {
    const ended = (status: number, text: string): void => {
      const isFailure = status < 200 || status >= 300 || text.includes('"errors":[{');
      resolve({ name, status, ms: performance.now() - began, ...(isFailure ? { failure: `${status} ${text.slice(0, 200)}` } : {}) });
    };
    const sent = request(`${origin}${path}`, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => ended(response.statusCode!, text));
      response.on('error', (error) => ended(0, error.message));
    });
    sent.on('error', (error) => ended(0, error.message));
    sent.end(body);
  });
}

async function repeat(): Promise<void> {
  const { origin, calls } = workerData as { origin: string; calls: RepeatedCall[] };
  const agent = new Agent({ keepAlive: true });
  let seen: SeenResponse[] = [];
  parentPort!.on('message', () => {
    parentPort!.postMessage(seen);
    seen = [];
  });
  for (;;) for (const call of calls) seen.push(await send(agent, origin, call));
}

if (!isMainThread && workerData?.calls) void repeat();
