// Judges `POST /mcp` of a running gateway by the conformance suite of the protocol, and lists and calls its tools with the inspector.
// node check.ts <base address> <key>
import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const [base, key] = process.argv.slice(2) as [string, string];

/** The scenarios that need nothing but a server: the others call tools, prompts and resources that a server of theirs would have. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'];

/** Passes requests to the gateway with the key: the suite sends no credential. */
const proxy = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
  const onward = request(new URL(incoming.url!, base), { method: incoming.method!, headers, setHost: false }, (response) => {
    outgoing.writeHead(response.statusCode!, response.headers);
    response.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;

/** Runs a program of the folder; its exit code and what it printed. */
function run(name: string, ...given: string[]): Promise<{ code: number | null; output: string; printed: string }> {
  return new Promise((resolve) => {
    const child = spawn(`node_modules/.bin/${name}`, given, { cwd: import.meta.dirname });
    let output = '';
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      printed += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.on('close', (code) => resolve({ code, output, printed }));
  });
}

const failures: string[] = [];
for (const scenario of SCENARIOS) {
  const { code, printed } = await run('conformance', 'server', '--url', url, '--scenario', scenario);
  if (code !== 0 || !/Passed: [1-9]\d*\/|[1-9]\d* passed/i.test(printed)) failures.push(`${scenario}: ${printed.slice(-600)}`);
}

const inspect = async (...given: string[]): Promise<string> => {
  const { code, output, printed } = await run('mcp-inspector', '--cli', url, '--transport', 'http', ...given);
  if (code !== 0) failures.push(`inspector ${given.join(' ')}: ${printed.slice(-600)}`);
  return output;
};
const { tools = [] } = JSON.parse((await inspect('--method', 'tools/list')) || '{}') as { tools?: { name: string }[] };
const names = tools.map(({ name }) => name).join(', ');
if (names !== 'search, describe, check, run') failures.push(`the inspector lists the tools ${names}`);
const called = await inspect('--method', 'tools/call', '--tool-name', 'run', '--tool-arg', 'operation={ companies { totalCount } }');
if (!called.includes('totalCount')) failures.push(`the inspector calls run: ${called}`);
const resources = await inspect('--method', 'resources/list');
if (!resources.includes('/docs/guides/lists.md')) failures.push(`the inspector lists the resources ${resources.slice(0, 300)}`);

proxy.close();
proxy.closeAllConnections();
for (const failure of failures) console.log(failure);
console.log(`${SCENARIOS.length} scenarios of the conformance suite and 3 calls of the inspector, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
