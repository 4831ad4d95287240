// One run of a program: started without a shell and with no more environment than it was given, and ended politely, then surely.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** What is run. */
export interface Invocation {
  command: string;
  arguments: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** The working directory, home and place of temporary files. */
  directory: string;
  /** Ends the program when aborted. */
  signal: AbortSignal;
}

/** How a program ended; `error` where it could not be started. */
export interface ProgramEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  error?: Error;
}

/** Bytes of the error output that are kept for the message: its end, where the reason is. */
const KEPT_BYTES = 8 * 1024;

/** Milliseconds for a program to end on its own after SIGTERM. */
const GRACE = 5_000;

/** Milliseconds for a program to end on its own after it has closed its output. */
const END_TIME = 30_000;

/** Milliseconds for the rest of the error output of a program that has ended; a process it left behind may hold that open. */
const LAST_WORDS = 1_000;

/** The end of a stream of text, of bounded size. */
class Tail {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text).slice(-KEPT_BYTES);
  }

  toString(): string {
    return this.#text;
  }
}

/** A program that is running. Its error output is read at once, so that it cannot block on it; its output only as it is asked for. */
export class RunningProgram {
  readonly output: Readable;
  /** How it ended, once it has and its error output has arrived. */
  readonly ended: Promise<ProgramEnd>;
  readonly #child: ChildProcess;
  readonly #tail = new Tail();
  #isOver = false;

  constructor({ command, arguments: words, environment, directory, signal }: Invocation) {
    this.#child = spawn(command, words, {
      cwd: directory,
      env: { LANG: 'C.UTF-8', HOME: directory, TMPDIR: directory, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      // A process group of its own: a signal reaches what the program has started too.
      detached: true,
    });
    this.output = this.#child.stdout!;
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => this.#tail.add(text));
    const stop = () => void this.stop();
    signal.addEventListener('abort', stop, { once: true });
    this.ended = this.#end().finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  }

  /** The end of what it wrote to its error output, and of its log. */
  get lastWords(): string {
    return this.#tail.toString();
  }

  /** Keeps a line of its log with its error output. */
  note(line: string): void {
    this.#tail.add(`${line}\n`);
  }

  /** How it ended on its own after its output has ended; one that does not end is stopped. */
  async finish(): Promise<ProgramEnd> {
    const end = await this.#within(END_TIME);
    if (end) return end;
    await this.stop();
    return { exitCode: null, signal: 'SIGTERM' };
  }

  /** Ends it: SIGTERM to its process group, and SIGKILL to what is left after the time of grace. */
  async stop(): Promise<void> {
    // What it has started may outlive it and hold its output open.
    if (this.#isOver && this.output.readableEnded) return;
    if (!this.#isOver) {
      this.#signal('SIGTERM');
      await this.#within(GRACE);
    }
    this.#signal('SIGKILL');
    this.output.destroy();
    await this.ended;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch {
      // No process of the group is left.
    }
  }

  async #within(milliseconds: number): Promise<ProgramEnd | undefined> {
    const waiting = new AbortController();
    try {
      return await Promise.race([this.ended, delay(milliseconds, undefined, { signal: waiting.signal })]);
    } finally {
      waiting.abort();
    }
  }

  async #end(): Promise<ProgramEnd> {
    const child = this.#child;
    const end = await new Promise<ProgramEnd>((resolve) => {
      child.once('error', (error) => resolve({ exitCode: null, signal: null, error }));
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    this.#isOver = true;
    if (!child.stderr!.closed && end.error === undefined)
      await Promise.race([new Promise((resolve) => child.stderr!.once('close', resolve)), delay(LAST_WORDS, undefined, { ref: false })]);
    return end;
  }
}
