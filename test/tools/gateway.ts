// A gateway with demo data for the tools: the compiled program on a free port, with data in a directory of its own.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const START_MS = 240_000;

/** A gateway with demo data, as the tools address it. */
export interface Target {
  base: string;
  bearer: string;
  apiKey: string;
}

/** Starts the program and reads address and keys from its greeting. */
export function startGateway(
  dataDirectory: string,
  settings: Record<string, string> = {},
): Promise<Target & { stop: () => Promise<void> }> {
  const env = {
    ...process.env,
    DATABASE_URL: '',
    DATA_DIR: dataDirectory,
    PORT: '0',
    HOST: '127.0.0.1',
    DEMO_DATA: 'true',
    LOG_LEVEL: 'error',
    DRAIN_SECONDS: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    CONNECTOR_PRIVATE_HOSTS: '127.0.0.1',
    // The checks of several tools share the demo keys.
    RATE_LIMIT_PER_MINUTE: '0',
    FAILED_AUTH_LIMIT: '0',
    ...settings,
  };
  const child = spawn('node', ['dist/bundle/main.js'], { cwd: root, env });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the gateway did not start:\n${output}`)), START_MS);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const port = output.match(/listening on \S+:(\d+)/)?.[1];
        if (!port) return;
        clearTimeout(timer);
        const key = (header: string): string => output.match(new RegExp(`${header}(ent_\\w+)`))?.[1] ?? '';
        resolve({ base: `http://127.0.0.1:${port}`, bearer: key('Bearer '), apiKey: key('api_key: '), stop });
      });
    }
    child.once('exit', () => reject(new Error(`the gateway ended:\n${output}`)));
  });
}
