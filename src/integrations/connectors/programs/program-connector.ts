// The connector of a program: runs it for each check and pull, hands it its configuration, and takes over its records, states and changed settings.
import type { ProgramSettings } from '../../../config.ts';
import { GatewayError } from '../../../records/errors.ts';
import type { Connector, ConnectorSession, Json, PullRequest, SourcePage } from '../connector.ts';
import { withRaw } from '../source-facts.ts';
import { airbyte, requiredMembers, requireStatus } from './airbyte.ts';
import { Failures } from './failures.ts';
import { linesOf, textOf, UnreadableOutput } from './lines.ts';
import type { Mapping } from './mapping.ts';
import type { MappingRun } from './mapping-run.ts';
import { Pages } from './pages.ts';
import { PrivateDirectory } from './private-directory.ts';
import { type Files, isObject, type JsonObject, type Message, type Protocol, ProtocolError, type Stream } from './protocol.ts';
import { RunningProgram } from './running-program.ts';
import { Secrets, textsIn, textsOf } from './secrets.ts';
import { changedSettings, configOf } from './settings.ts';
import { singer } from './singer.ts';

/** Bytes of the response of a run that reads no records, such as a catalog. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Milliseconds that a check may take. */
const CHECK_TIME = 120_000;

/** Messages after which it is looked whether the program has changed its configuration. */
const LOOK_EVERY = 200;

const CONFIG = 'config.json';

/** Where an operator's arguments name the directory of the run, as a container needs it that has to see the files in it. */
const DIRECTORY = '{directory}';

/** One run of the program with its files. */
interface Run {
  running: RunningProgram;
  directory: PrivateDirectory;
  /** Takes over the configuration where the program has changed its file. */
  takeOver(): Promise<void>;
}

/** Access to the source of one connection through a program. */
export class ProgramConnector implements Connector {
  /** Only the Airbyte protocol has a command for it; a tap that is rejected ends with an error in each of its runs. */
  readonly isCheckedFirst: boolean;
  readonly #program: ProgramSettings;
  readonly #mapping: MappingRun;
  /** Names of the streams that the mapping knows. */
  readonly #known: ReadonlySet<string>;
  readonly #session: ConnectorSession;
  readonly #protocol: Protocol;
  readonly #secrets = new Secrets();
  readonly #failures: Failures;
  #settings: Readonly<Record<string, string>>;
  #streams: Stream[] | undefined;

  constructor(program: ProgramSettings, mapping: Mapping, session: ConnectorSession) {
    this.#program = program;
    this.#mapping = mapping.open();
    this.#known = this.#mapping.streams;
    this.#session = session;
    this.#settings = session.settings;
    this.isCheckedFirst = program.protocol === 'AIRBYTE';
    this.#protocol = program.protocol === 'AIRBYTE' ? airbyte : singer(program);
    this.#failures = new Failures(program.name, this.#secrets);
    const { PATH: _, ...environment } = program.environment;
    this.#secrets.add([...textsOf(program.config as Json), ...Object.values(environment)]);
    this.#keepSecret(session.settings);
  }

  /** Runs the checks of the protocol, lists the streams, and reads until the first record or state. */
  async check(): Promise<void> {
    const limit = AbortSignal.timeout(CHECK_TIME);
    try {
      const signal = AbortSignal.any([this.#session.signal, limit]);
      if (this.#program.protocol === 'AIRBYTE') await this.#checkAirbyte(signal);
      const wanted = await this.#wanted(this.#known, signal);
      if (this.#program.protocol === 'AIRBYTE') return;
      for await (const { message } of this.#read(wanted, null, signal)) if (message.kind === 'record' || message.kind === 'state') return;
    } catch (error) {
      if (!limit.aborted || this.#session.signal.aborted) throw error;
      throw new GatewayError(
        'PLATFORM_TIMEOUT',
        `the program of ${this.#program.name} did not end its check in ${CHECK_TIME / 1_000} seconds`,
      );
    }
  }

  /** Streams that the mapping makes no records of. */
  async unmapped(): Promise<string[]> {
    const streams = await this.#discover(this.#session.signal);
    return streams.map(({ name }) => name).filter((name) => !this.#known.has(name));
  }

  async *pull(request: PullRequest): AsyncGenerator<SourcePage> {
    try {
      yield* this.#pages(request);
    } finally {
      await this.#mapping.close();
    }
  }

  async *#pages({ dataModel, cursor }: PullRequest): AsyncGenerator<SourcePage> {
    const { signal } = this.#session;
    const streams = this.#mapping.streamsOf(dataModel);
    await this.#requireAll(streams, dataModel, signal);
    const pages = new Pages();
    let isMet = false;
    let failure: GatewayError | undefined;
    try {
      for await (const { message, bytes } of this.#read(streams, cursor, signal)) {
        if (message.kind === 'state') pages.reach(message.state);
        if (message.kind !== 'record') continue;
        const stream = this.#mappedName(message.stream);
        if (!this.#known.has(stream)) pages.leaveOut(stream);
        isMet ||= streams.has(stream);
        const mapped = await this.#mapping.apply(dataModel, stream, message.data);
        for (const record of mapped.records) withRaw(record, message.data);
        if (pages.mustWait(mapped)) yield pages.take();
        pages.add(mapped, bytes);
        if (pages.isFull) yield pages.take();
      }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      failure = error;
    }
    // Records of the streams that were asked for may have come under names that the catalog does not have.
    if (!failure && !isMet && cursor === null && this.#takesCatalog && pages.leftOut)
      failure = this.#failures.unreadable(
        `wrote no records of ${[...streams].join(', ')}, and others without a mapping: ${pages.leftOut}`,
        '',
      );
    // What came before a failure is stored too, or a program that always fails would never get further.
    if (pages.hasRest) yield pages.take();
    if (failure) throw failure;
  }

  async #checkAirbyte(signal: AbortSignal): Promise<void> {
    const config = configOf(this.#program, this.#settings);
    const required = await this.#outputOf(() => ['spec'], requiredMembers, signal);
    const absent = required.filter((name) => config[name] === undefined);
    if (absent.length > 0)
      throw new GatewayError('PLATFORM_DENIED', `the program of ${this.#program.name} requires ${absent.join(', ')} in its configuration`);
    await this.#outputOf(({ config: path }) => ['check', '--config', path], requireStatus, signal);
  }

  /** Those of the streams that the program has; throws where it has none. */
  async #wanted(streams: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlySet<string>> {
    if (!this.#takesCatalog) return streams;
    const found = (await this.#discover(signal)).map(({ name }) => name);
    const wanted = new Set(found.filter((name) => streams.has(name)));
    if (wanted.size === 0)
      throw new GatewayError(
        'OPERATION_NOT_SUPPORTED',
        `the mapping knows none of the streams of ${this.#program.name}: ${found.join(', ')}`,
      );
    return wanted;
  }

  /** Throws where a stream of a data model is not there: a full pull without it would mark its records deleted. */
  async #requireAll(streams: ReadonlySet<string>, dataModel: string, signal: AbortSignal): Promise<void> {
    if (streams.size === 0)
      throw new GatewayError('OPERATION_NOT_SUPPORTED', `the mapping of ${this.#program.name} has no ${dataModel} records`);
    if (!this.#takesCatalog) return;
    const found = new Set((await this.#discover(signal)).map(({ name }) => name));
    const absent = [...streams].filter((name) => !found.has(name));
    if (absent.length === 0) return;
    const words = `${dataModel} records need the streams ${absent.join(', ')}, which ${this.#program.name} does not have`;
    throw new GatewayError('OPERATION_NOT_SUPPORTED', words);
  }

  get #takesCatalog(): boolean {
    return this.#program.protocol === 'AIRBYTE' || this.#program.catalog !== 'none';
  }

  /** The streams of the program; asked for once. */
  async #discover(signal: AbortSignal): Promise<Stream[]> {
    if (!this.#takesCatalog) return [];
    const { discovery, streamsOf } = this.#protocol;
    this.#streams ??= (await this.#outputOf(discovery, streamsOf, signal)).map((stream) => this.#asMapped(stream));
    return this.#streams;
  }

  /** A stream by the one of its names that the mapping knows. */
  #asMapped(stream: Stream): Stream {
    const { name, otherName } = stream;
    if (otherName === undefined || this.#known.has(name) || !this.#known.has(otherName)) return stream;
    return { ...stream, name: otherName, otherName: name };
  }

  /**
   * The name by which the mapping knows the stream of a record. It is the given name where the mapping knows none, or where several streams have that
   * name.
   */
  #mappedName(given: string): string {
    if (this.#known.has(given)) return given;
    const [stream, ...others] = (this.#streams ?? []).filter(({ otherName }) => otherName === given);
    return stream && others.length === 0 ? stream.name : given;
  }

  /** What a run that reads no records says. */
  async #outputOf<T>(words: (files: Files) => string[], meaningOf: (output: string) => T, signal: AbortSignal): Promise<T> {
    const run = await this.#start(async (_, config) => words({ config }), signal);
    try {
      const output = await this.#speaking(run, signal, () => textOf(run.running.output, MAX_OUTPUT_BYTES));
      for (const message of await this.#speaking(run, signal, async () => this.#protocol.asidesOf(output)))
        await this.#handle(message, run);
      await this.#requireSuccess(run, signal);
      return await this.#speaking(run, signal, async () => meaningOf(output));
    } finally {
      await this.#end(run);
    }
  }

  /** The messages of a run that reads, and the length of the line of each; nothing is read while the caller works on one. */
  async *#read(wanted: ReadonlySet<string>, cursor: Json, signal: AbortSignal): AsyncGenerator<{ message: Message; bytes: number }> {
    const run = await this.#start((directory, config) => this.#readingWords(directory, config, wanted, cursor), signal);
    try {
      const reader = this.#protocol.reader(cursor);
      const lines = linesOf(run.running.output);
      for (let count = 0; ; count++) {
        const line = await this.#speaking(run, signal, () => lines.next());
        if (line.done) break;
        // From the first line on: a token that was used up must not be lost with this process.
        if (count % LOOK_EVERY === 0) await run.takeOver();
        const message = await this.#speaking(run, signal, async () => reader.message(line.value));
        if (message === null) continue;
        await this.#handle(message, run);
        yield { message, bytes: line.value.length };
      }
      await this.#requireSuccess(run, signal);
      const failure = reader.failure(wanted);
      if (failure) throw this.#failures.reported(failure, run.running.lastWords);
    } finally {
      await this.#end(run);
    }
  }

  async #readingWords(directory: PrivateDirectory, config: string, wanted: ReadonlySet<string>, cursor: Json): Promise<string[]> {
    const files: Files = { config };
    if (this.#takesCatalog) files.catalog = await directory.write('catalog.json', this.#protocol.catalogOf(this.#streams ?? [], wanted));
    const state = this.#protocol.stateOf(cursor);
    if (state !== null) files.state = await directory.write('state.json', state);
    return this.#protocol.reading(files);
  }

  async #start(words: (directory: PrivateDirectory, config: string) => Promise<string[]>, signal: AbortSignal): Promise<Run> {
    signal.throwIfAborted();
    const directory = await PrivateDirectory.create();
    try {
      const config = configOf(this.#program, this.#settings);
      const path = await directory.write(CONFIG, config);
      const given = [...this.#program.arguments, ...(await words(directory, path))];
      const running = new RunningProgram({
        command: this.#program.command,
        arguments: given.map((word) => word.replaceAll(DIRECTORY, directory.path)),
        environment: this.#program.environment,
        directory: directory.path,
        signal,
      });
      let known = JSON.stringify(config);
      const takeOver = async (): Promise<void> => {
        const now = await directory.read(CONFIG);
        if (!isObject(now) || JSON.stringify(now) === known) return;
        known = JSON.stringify(now);
        await this.#takeOver(now);
      };
      return { running, directory, takeOver };
    } catch (error) {
      await directory.remove();
      throw error;
    }
  }

  /** Ends a run: nothing of it stays but the settings it changed. */
  async #end({ running, directory, takeOver }: Run): Promise<void> {
    try {
      await running.stop();
      await takeOver();
    } finally {
      await directory.remove();
    }
  }

  /** Runs a step that reads output, and throws what the gateway says where the output is not of the protocol. */
  async #speaking<T>({ running }: Run, signal: AbortSignal, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnreadableOutput) throw this.#failures.unreadable(`wrote ${error.message}`, running.lastWords);
      if (error instanceof ProtocolError) throw this.#failures.unreadable(error.message, running.lastWords);
      throw error;
    }
  }

  /** Acts on a message that is no record and no state. */
  async #handle(message: Message, { running }: Run): Promise<void> {
    if (message.kind === 'config') await this.#takeOver(message.config);
    if (message.kind === 'log') running.note(message.text);
    if (message.kind === 'failure') throw this.#failures.reported(message.failure, running.lastWords);
  }

  async #requireSuccess({ running }: Run, signal: AbortSignal): Promise<void> {
    const end = await running.finish();
    signal.throwIfAborted();
    if (end.exitCode !== 0) throw this.#failures.ended(end, running.lastWords);
  }

  async #takeOver(config: JsonObject): Promise<void> {
    // A program also keeps tokens of its own in its configuration.
    const known = new Set(Object.values(this.#settings));
    this.#secrets.add(textsOf(config as Json).filter((text) => !known.has(text)));
    const changed = changedSettings(this.#program, this.#settings, config);
    if (Object.keys(changed).length === 0) return;
    this.#settings = { ...this.#settings, ...changed };
    this.#keepSecret(changed);
    await this.#session.saveSettings(changed);
  }

  #keepSecret(settings: Readonly<Record<string, string>>): void {
    for (const { name, kind, isJson } of this.#program.settings) {
      const value = settings[name];
      if (kind === 'secret' && value !== undefined) this.#secrets.add(isJson ? [value, ...textsIn(value)] : [value]);
    }
  }
}
