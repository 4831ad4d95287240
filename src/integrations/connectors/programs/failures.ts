// What callers see when a program fails: the code, and the program's own words without secrets.
import { GatewayError } from '../../../records/errors.ts';
import { SourceUnusable } from '../source-http.ts';
import type { Failure } from './protocol.ts';
import type { ProgramEnd } from './running-program.ts';
import type { Secrets } from './secrets.ts';

/** Whether a text says that an authorisation has ended. How programs report rejected rights or settings differs too much to be recognised by words. */
const saysExpired = (text: string): boolean =>
  /invalid_grant|invalid_token|\binvalid (?:access |refresh )?token\b/i.test(text) ||
  (/\btoken\b/i.test(text) && /\b(?:expired|revoked)\b/i.test(text)) ||
  (/\b401\b/.test(text) && /unauthori[sz]ed/i.test(text));

/** Lines of a stack trace, which say nothing to a caller. */
const isTrace = (line: string): boolean => /^\s|^Traceback/.test(line);

/** Characters of the words of a program in a message, and lines at the end of its output that can say why it ended. */
const MAX_WORDS = 500;
const LAST_LINES = 5;

const lastLines = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => line.trim() !== '' && !isTrace(line))
    .slice(-LAST_LINES);

/** The line of the error output that says most: the last one that is critical, or else the last one. */
function reasonIn(lines: readonly string[]): string {
  const line = lines.findLast((entry) => /critical|fatal|error|exception/i.test(entry)) ?? lines.at(-1) ?? '';
  return line.trim().slice(-MAX_WORDS);
}

/** Makes the errors of one program's runs. */
export class Failures {
  readonly #source: string;
  readonly #secrets: Secrets;

  constructor(source: string, secrets: Secrets) {
    this.#source = source;
    this.#secrets = secrets;
  }

  /** The program says that it failed: PLATFORM_DENIED or CONNECTION_EXPIRED where it rejects its settings, otherwise PLATFORM_ERROR. */
  reported({ message, isRefusal }: Failure, lastWords: string): GatewayError {
    const words = this.#secrets.remove(message).slice(0, MAX_WORDS);
    const code = saysExpired(message) ? 'CONNECTION_EXPIRED' : isRefusal ? 'PLATFORM_DENIED' : 'PLATFORM_ERROR';
    return new (isRefusal ? SourceUnusable : GatewayError)(code, `the program of ${this.#source} failed: ${words}`, {
      platformError: { message: words, output: this.#secrets.remove(lastWords) },
    });
  }

  /** The program ended otherwise than with exit code 0. */
  ended({ exitCode, signal, error }: ProgramEnd, lastWords: string): GatewayError {
    if (error) return new SourceUnusable('PLATFORM_ERROR', `the program of ${this.#source} cannot be started: ${error.message}`);
    const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
    const output = this.#secrets.remove(lastWords);
    const lines = lastLines(output);
    const line = reasonIn(lines);
    const code = lines.some(saysExpired) ? 'CONNECTION_EXPIRED' : 'PLATFORM_ERROR';
    return new GatewayError(code, `the program of ${this.#source} ${how}${line === '' ? '' : `: ${line}`}`, {
      platformError: { exitCode, signal, output },
    });
  }

  /** The program does not speak its protocol. */
  unreadable(words: string, lastWords: string): GatewayError {
    return new GatewayError('PLATFORM_ERROR', `the program of ${this.#source} ${this.#secrets.remove(words)}`, {
      platformError: { output: this.#secrets.remove(lastWords) },
    });
  }
}
