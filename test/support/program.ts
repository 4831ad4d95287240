// The program as it ships, compiled once per test file and run as child processes: for promises about killed processes and about several of them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { packagePath } from '../../src/core/package-root.ts';

export interface Program {
  /** Starts a process and waits until it listens. */
  start(settings: Record<string, string>): Promise<RunningProgram>;
  remove(): Promise<void>;
}

export interface RunningProgram {
  origin: string;
  /** Lines of the log so far. */
  lines: string[];
  /** Ends the process with a signal and waits for its end. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Compiles the program to a directory of its own, below node_modules so that its imports are found. */
export function compileProgram(): Program {
  const directory = packagePath('node_modules', '.cache', `program-${randomUUID()}`);
  execFileSync(
    process.execPath,
    [packagePath('node_modules', 'typescript', 'bin', 'tsc'), '-p', packagePath('tsconfig.build.json'), '--outDir', directory],
    { stdio: 'inherit' },
  );
  return {
    async start(settings) {
      const child: ChildProcess = spawn(process.execPath, [`${directory}/src/main.js`], {
        env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DEMO_DATA: 'false', ...settings },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines: string[] = [];
      const origin = await new Promise<string>((resolve, reject) => {
        child.once('exit', (code) => reject(new Error(`the program ended with ${code} before it listened`)));
        createInterface({ input: child.stdout! }).on('line', (line) => {
          lines.push(line);
          const [, address] = /^listening on (\S+)/.exec(line) ?? [];
          if (address) resolve(`http://${address}`);
        });
      });
      return {
        origin,
        lines,
        async end(signal) {
          if (child.exitCode !== null || child.signalCode !== null) return;
          child.kill(signal);
          await once(child, 'exit');
        },
      };
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
