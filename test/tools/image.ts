// Builds the image and checks it as an operator would: it starts without rights and on a read-only file system, returns on every surface, its links
// work, its admin command works, and it contains nothing that only a developer needs.
// node test/tools/image.ts [--make-base]
// The bases of the Dockerfile are used when this machine has them. Otherwise --make-base makes them, once, from Debian's packages (debootstrap, as root)
// and the Node of node_modules; this takes about a minute.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '../..');
const { values: options } = parseArgs({ options: { 'make-base': { type: 'boolean', default: false } } });
/** What the image is built on, by the arguments of the Dockerfile. */
type Bases = Record<'BASE' | 'SYSTEM', string>;
const DOCUMENTED: Bases = { BASE: 'docker.io/library/node:24-bookworm-slim', SYSTEM: 'docker.io/library/debian:bookworm-slim' };
const MADE: Bases = { BASE: 'localhost/ledger-gateway-base:bookworm', SYSTEM: 'localhost/ledger-gateway-system:bookworm' };
/** What Debian leaves out of its slim images, below /usr/share. */
const NOT_SLIM = ['doc', 'info', 'locale', 'man'];
const IMAGE = 'localhost/ledger-gateway:check';
/** Debian has 80 MB of it, Node 127, and the embedded database and the tables of addresses 50. */
const MAX_MB = 300;
/** Says in the label of the image what it was built from. */
const REVISION = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const ADMIN_TOKEN = 'admin-token-of-the-image-check';

const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
// For containers inside containers: vfs stores each kept build step as a full copy; the limits are ones that the outer container allows.
const PODMAN = ['--storage-driver', 'vfs', ...(has('runc') ? ['--runtime', 'runc'] : [])];
const RUN = ['--network', 'none', '--no-healthcheck', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'];

function podman(...words: string[]): string {
  return execFileSync('podman', [...PODMAN, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1_048_576 });
}
const succeeds = (...words: string[]): boolean => spawnSync('podman', [...PODMAN, ...words]).status === 0;

/** Ends with the status of a program that is missing: nothing was proved. */
function skip(reason: string): never {
  console.log(`skipped: ${reason}`);
  process.exit(3);
}

/** Makes the bases: Debian from debootstrap, and on it the Node and npm of this machine. */
function makeBases(): void {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-base-'));
  const system = join(folder, 'system');
  const local = join(folder, 'local');
  const make = (image: string, dockerfile: string): void => {
    writeFileSync(join(folder, 'Dockerfile'), dockerfile);
    podman('build', '--isolation', 'chroot', '--layers=false', '--format', 'docker', '--tag', image, folder);
  };
  try {
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', system], { stdio: 'pipe' });
    const left = ['var/cache/apt/archives', 'var/lib/apt/lists', ...NOT_SLIM.map((name) => `usr/share/${name}`)];
    for (const path of left) rmSync(join(system, path), { recursive: true, force: true });
    make(MADE.SYSTEM, 'FROM scratch\nCOPY system /\n');
    mkdirSync(join(local, 'bin'), { recursive: true });
    cpSync(join(root, 'node_modules/node/bin/node'), join(local, 'bin/node'), { dereference: true });
    // The file behind the command: `npm root --global` reports for the Node it runs on, which is that of node_modules here.
    const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim();
    cpSync(join(npm, '../..'), join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
    make(MADE.BASE, `FROM ${MADE.SYSTEM}\nCOPY local /usr/local\nCMD ["node"]\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The images to build on; without them the check is skipped. */
function basesOf(): Bases {
  for (const bases of [DOCUMENTED, MADE]) if (Object.values(bases).every((image) => succeeds('image', 'exists', image))) return bases;
  const missing = Object.values(DOCUMENTED).join(' or ');
  if (!options['make-base']) skip(`${missing} is not on this machine, and --make-base was not given`);
  if (!has('debootstrap')) skip(`${missing} is not on this machine, and debootstrap, which could make another, is not installed`);
  if (process.getuid?.() !== 0) skip(`${missing} is not on this machine, and only root can make another`);
  makeBases();
  return MADE;
}

/** Builds the image. Packages come from npm's cache where possible, and otherwise from this machine's configured registry. */
function build(bases: Bases): void {
  // The one of an earlier run would stay behind without a name.
  spawnSync('podman', [...PODMAN, 'rmi', '--force', IMAGE]);
  const scratch = mkdtempSync(join(tmpdir(), 'gateway-image-'));
  const setting = (name: string): string => execFileSync('npm', ['config', 'get', name], { cwd: root, encoding: 'utf8' }).trim();
  const certificates = setting('cafile');
  const hasOwn = existsSync(certificates);
  writeFileSync(
    join(scratch, 'npmrc'),
    `registry=${setting('registry')}\nprefer-offline=true\n${hasOwn ? 'cafile=/run/certificates.crt\n' : ''}`,
  );
  mkdirSync(join(homedir(), '.npm'), { recursive: true });
  const volumes = [
    `${join(scratch, 'npmrc')}:/root/.npmrc:ro`,
    `${join(homedir(), '.npm')}:/root/.npm`,
    ...(hasOwn ? [`${certificates}:/run/certificates.crt:ro`] : []),
  ];
  try {
    const mounted = volumes.flatMap((volume) => ['--volume', volume]);
    podman(
      'build',
      '--isolation',
      'chroot',
      '--layers=false',
      '--format',
      'docker',
      ...Object.entries(bases).flatMap(([name, image]) => ['--build-arg', `${name}=${image}`]),
      '--build-arg',
      `REVISION=${REVISION}`,
      ...mounted,
      '--tag',
      IMAGE,
      root,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

let failures = 0;
function check(what: string, isTrue: boolean, seen: unknown = ''): void {
  if (isTrue) return;
  failures++;
  console.log(`FAIL ${what}: ${String(seen).trim().slice(0, 500)}`);
}

/** The requests in a greeting, as arguments of fetch. */
const offered = (greeting: string): [url: string, init: RequestInit][] =>
  [...greeting.matchAll(/^ +(curl .*)$/gm)].map(([, command = '']) => {
    const headers = Object.fromEntries([...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name, value]) => [name!, value!]));
    const body = /-d '(.*)'$/.exec(command)?.[1];
    return [/curl '?([^' ]+)/.exec(command)![1]!, { headers, ...(body ? { method: 'POST', body } : {}) }];
  });

async function inspect(container: string): Promise<void> {
  const inside = (...words: string[]): { status: number | null; text: string } => {
    const { status, stdout, stderr } = spawnSync('podman', [...PODMAN, 'exec', container, ...words], { encoding: 'utf8' });
    return { status, text: stdout + (status === 0 ? '' : stderr) };
  };
  /** Sends requests from inside the container, because it has no other network. */
  const send = (requests: [string, RequestInit][]): { status: number; text: string }[] => {
    const script = `const requests = ${JSON.stringify(requests)};
      Promise.all(requests.map(([url, init]) => fetch(url, init).then(async (response) => ({ status: response.status, text: await response.text() }))))
        .then((responses) => console.log(JSON.stringify(responses)))`;
    const { status, text } = inside('node', '-e', script);
    return status === 0 ? (JSON.parse(text) as { status: number; text: string }[]) : requests.map(() => ({ status: 0, text }));
  };

  let ready = false;
  for (let tries = 0; tries < 600 && !ready; tries++) {
    ready = send([['http://localhost:4000/readyz', {}]])[0]?.status === 200;
    if (!ready) await delay(500);
  }
  const greeting = podman('logs', container);
  check('it becomes ready', ready, greeting);
  if (!ready) return;

  const requests = offered(greeting);
  check('the greeting offers a request per surface', requests.length === 6, greeting);
  check('the greeting links to no wildcard address', !greeting.includes('http://0.0.0.0'), greeting);
  for (const [index, { status, text }] of send(requests).entries())
    check(`${requests[index]![0]} is served`, status === 200, `${status} ${text}`);

  const browser = { headers: { accept: 'text/html' } };
  const pages = ['/', '/docs?api=integrations', '/docs/changelog', '/docs/errors', '/limits', '/graphql', '/apps/dashboard'];
  for (const [index, { status, text }] of send(pages.map((path) => [`http://localhost:4000${path}`, browser])).entries())
    check(
      `the page ${pages[index]} is shown and links to no wildcard address`,
      status === 200 && !text.includes('0.0.0.0'),
      `${status} ${text}`,
    );

  const bearer = /Bearer (ent_\w+)/.exec(greeting)![1]!;
  const form = {
    companyId: '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
    country: 'IE',
    corporationTypeInfo: { IE: { corporationType: 'Ltd' } },
  };
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', host: 'elsewhere.example' };
  const [made] = send([['http://localhost:4000/api/v1/incorporation-requests', { method: 'POST', headers, body: JSON.stringify(form) }]]);
  const link = /"signedFormUrl":"([^"]+)"/.exec(made!.text)?.[1] ?? '';
  check(
    'a signed link opens a page of the gateway',
    link.startsWith('http://localhost:4000/') && send([[link, browser]])[0]?.status === 200,
    made!.text,
  );

  const doctor = inside('ledger-admin', 'doctor');
  check('ledger-admin doctor', doctor.status === 0 && doctor.text.includes('is ready'), doctor.text);
  const issued = inside('ledger-admin', 'issue-key', '--organisation', 'Acme', '--roles', 'PLATFORM');
  check('ledger-admin issue-key', issued.status === 0 && issued.text.includes('ent_'), issued.text);

  const packages = inside(
    'node',
    '-p',
    "JSON.parse(fs.readFileSync('/app/sbom.spdx.json')).packages.map(({ name }) => name).join(' ')",
  ).text;
  check('it lists its packages', packages.includes('ledger-gateway ') && packages.includes(' graphql '), packages);
  const licences = inside('tar', '--list', '--file', '/app/licences.tar.gz').text;
  check('it has the licences of what is in the bundle', licences.includes('node_modules/graphql/LICENSE'), licences);
  check('it runs without rights', inside('id', '-u').text.trim() !== '0', inside('id', '-u').text);
  check('its files cannot be written', inside('touch', '/app/x').status !== 0);
  const nodes = inside('sh', '-c', 'find / -xdev -type f -name node -size +1M 2>/dev/null; true').text.trim();
  check('it holds one Node', nodes.split('\n').length === 1, nodes);
  const sources = inside('find', '/app', '-name', '*.ts', '-not', '-path', '*/node_modules/*').text.trim();
  check('it holds no TypeScript', sources === '', sources);
  const development = inside('ls', '/app/node_modules').text.match(/^(typescript|vitest|@biomejs|@types\/node|fast-check)$/gm);
  check('it holds no package of development', development === null, development);

  const revision = podman('inspect', '--format', '{{index .Config.Labels "org.opencontainers.image.revision"}}', container).trim();
  check('its label names the commit', revision === REVISION, revision);

  podman('stop', '--time', '30', container);
  const ended = podman('inspect', '--format', '{{.State.ExitCode}}', container).trim();
  check('it stops in order', ended === '0', ended);
}

async function main(): Promise<void> {
  if (!has('podman')) skip('podman is not installed');
  const bases = basesOf();
  const trial = spawnSync('podman', [...PODMAN, 'run', '--rm', ...RUN, bases.BASE, 'node', '--version'], { encoding: 'utf8' });
  if (trial.status !== 0) skip(`this machine starts no container: ${trial.stderr.trim().split('\n').at(-1)}`);
  build(bases);
  const container = `ledger-gateway-check-${process.pid}`;
  const settings = { ADMIN_TOKEN, DEMO_DATA: 'true' };
  const given = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  podman(
    'run',
    '--detach',
    '--name',
    container,
    ...RUN,
    // As Docker and Kubernetes have it: podman alone would make /tmp and others writable.
    '--read-only',
    '--read-only-tmpfs=false',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    ...given,
    IMAGE,
  );
  try {
    await inspect(container);
  } finally {
    spawnSync('podman', [...PODMAN, 'rm', '--force', '--volumes', container]);
  }
  const megabytes = Number(podman('image', 'inspect', '--format', '{{.Size}}', IMAGE)) / 1_000_000;
  check(`it has less than ${MAX_MB} MB`, megabytes < MAX_MB, megabytes.toFixed(0));
  console.log(`${failures} failures; the image has ${megabytes.toFixed(0)} MB`);
  process.exitCode = failures > 0 ? 1 : 0;
}

await main().catch((error: Error & { stderr?: string }) => {
  console.log(error.stderr ?? error.stack);
  process.exitCode = 1;
});
