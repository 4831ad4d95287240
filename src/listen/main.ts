// Command `npm run listen -- --forward URL`: forwards the events of an organisation to a program under development.
import { generateKeyPairSync } from 'node:crypto';
import { Command } from 'commander';
import { newId } from '../records/ids.ts';
import { generateSecret, publicKeyOf, refuseSecret } from '../webhooks/signature.ts';
import { listen } from './listen.ts';

interface Options {
  forward: string;
  url: string;
  key: string;
  secret?: string;
  topics?: string[];
}

const program = new Command('listen')
  .description('Forward the events of an organisation to a program under development, signed as a webhook signs them.')
  .requiredOption('--forward <address>', 'where to send each event, such as http://localhost:3000/hook')
  .option('--url <address>', 'address of the gateway', 'http://127.0.0.1:4000')
  .requiredOption('--key <key>', 'key of the organisation')
  .option('--secret <secret>', 'signing secret, as that of a webhook; default a new one, which is printed')
  .option('--topics <topics...>', 'topics to forward, such as DATA_MODEL_CHANGES; default all')
  .parse();
const { forward, url, secret = generateSecret(), topics = null, key } = program.opts<Options>();
for (const address of [forward, url])
  if (!/^https?:/.test(address) || !URL.canParse(address)) program.error(`${address} is not an http address`);
const refusal = refuseSecret(secret);
if (refusal) program.error(`--secret ${refusal}`);
const { privateKey } = generateKeyPairSync('ed25519');
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
console.log(`secret ${secret}\npublic key ${publicKeyOf(privateKey)}`);
await listen({
  gateway: url.replace(/\/$/, ''),
  key,
  forward,
  topics,
  webhookId: newId('whk'),
  secret,
  privateKey,
  print: (line) => console.log(line),
  signal: stopping.signal,
}).catch((error: Error) => {
  if (!stopping.signal.aborted) program.error(error.message);
});
