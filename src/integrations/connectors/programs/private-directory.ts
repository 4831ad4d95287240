// A directory that one run of a program has for its files: only our user may read it, and it is removed afterwards.
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../connector.ts';

/** What the names of the directories of this host begin with; the number of the process that made it follows. */
const PREFIX = `ledger-gateway-program-${hostname()}-`;

/** Whether a directory is no longer used. Its process was killed, or was an earlier one with our number, as in a container that is restarted. */
async function isLeft(name: string): Promise<boolean> {
  const pid = Number(name.slice(PREFIX.length).split('-', 1)[0]);
  try {
    if (pid === process.pid) return (await stat(join(tmpdir(), name))).mtimeMs < performance.timeOrigin;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Removes what killed processes of this host have left: there are credentials in it. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(tmpdir()))
    if (name.startsWith(PREFIX) && (await isLeft(name))) await rm(join(tmpdir(), name), { recursive: true, force: true });
}

/** The files of one run. */
export class PrivateDirectory {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(): Promise<PrivateDirectory> {
    await removeLeft();
    const path = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
    await chmod(path, 0o700);
    return new PrivateDirectory(path);
  }

  /** Writes a JSON file and returns its path. */
  async write(name: string, content: Json): Promise<string> {
    const path = join(this.path, name);
    await writeFile(path, JSON.stringify(content), { mode: 0o600 });
    return path;
  }

  /** The content of a JSON file; undefined where it is gone or, because the program is writing it, no JSON. */
  async read(name: string): Promise<Json | undefined> {
    try {
      return JSON.parse(await readFile(join(this.path, name), 'utf8')) as Json;
    } catch {
      return undefined;
    }
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}
