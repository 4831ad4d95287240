// The files of deploy/ against the program: settings that exist, ports and probes that are served, time to stop, commands that run.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { adminProgram } from '../src/admin/program.ts';
import { readConfig, unknownSettings } from '../src/config.ts';
import { packagePath } from '../src/runtime/package-root.ts';
import { useGateway } from './support/gateway.ts';

const gateway = useGateway();
const read = (path: string): string => readFileSync(packagePath('deploy', path), 'utf8');
const settings = Object.fromEntries(
  read('kubernetes/settings.env')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);
const deployment = read('kubernetes/deployment.yaml');
const unit = read('systemd/ledger-gateway.service');
const numberIn = (text: string, name: string): number => Number(new RegExp(`${name}[:=] ?(\\d+)`).exec(text)?.[1]);

/** Longest time from the end of the drain to the end of the process, in seconds. */
const STOP = 15;

it('their settings are settings of the gateway', () => {
  const inUnit = Object.fromEntries(
    [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line]) =>
      line!.split(' ').map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  );
  expect([...unknownSettings(settings), ...unknownSettings(inUnit)]).toEqual([]);
  expect(readConfig(settings)).toMatchObject({ port: 4000, adminPort: 4001, publicUrl: 'https://ledger.example' });
});

it('the ports of the pods are those of the settings, and what probes them responds', async () => {
  const ports = [...deployment.matchAll(/name: (\w+), containerPort: (\d+)/g)].map(([, name, port]) => [name, port]);
  expect(ports).toEqual([
    ['http', settings.PORT],
    ['admin', settings.ADMIN_PORT],
  ]);
  const probes = [...deployment.matchAll(/path: (\/\w+), port: http/g)].map(([, path]) => path!);
  expect(probes).toHaveLength(3);
  for (const path of probes) expect((await gateway.send('GET', path)).status).toBe(200);
});

it('anyone who stops a gateway waits until it has drained and stopped', () => {
  expect(numberIn(deployment, 'terminationGracePeriodSeconds')).toBeGreaterThanOrEqual(Number(settings.DRAIN_SECONDS) + STOP);
  expect(numberIn(unit, 'TimeoutStopSec')).toBeGreaterThanOrEqual(numberIn(unit, 'DRAIN_SECONDS') + STOP);
});

it('the image and the service run the program with the same flags and the same settings of malloc', () => {
  const image = readFileSync(packagePath('Dockerfile'), 'utf8');
  const malloc = (text: string): string[] => [...text.matchAll(/\bMALLOC_\w+=\d+/g)].map(([setting]) => setting);
  expect(malloc(image)).toHaveLength(2);
  expect(malloc(unit)).toEqual(malloc(image));
  const flags = /node (--.*) dist\/bundle\/main\.js/.exec(unit)![1]!.split(' ');
  expect(image).toContain(`CMD ${JSON.stringify(['node', ...flags, 'dist/bundle/main.js']).replaceAll(',', ', ')}`);
});

it('where the file system is read-only, /tmp is not: programs that are connectors have their files there', () => {
  for (const [text, mount] of [
    [deployment, 'mountPath: /tmp'],
    [readFileSync(packagePath('compose.yaml'), 'utf8'), 'tmpfs: [/tmp]'],
  ] as const) {
    expect(text).toMatch(/read_only: true|readOnlyRootFilesystem: true/);
    expect(text).toContain(mount);
  }
});

it('the command of the migrations exists', () => {
  const [, name] = /\[ledger-admin, (\w+)\]/.exec(read('kubernetes/migrations.yaml'))!;
  expect(adminProgram(readConfig({})).commands.map((command) => command.name())).toContain(name);
});
