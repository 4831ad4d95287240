// Runs every client against a running gateway: node run.ts <base address> <bearer key> <api_key key>
import { apolloClient } from './apollo.ts';
import { openapiClients } from './openapi.ts';
import { urqlClient } from './urql.ts';
import { webhookReceiver } from './webhook-receiver.ts';

const [address, bearer, apiKey] = process.argv.slice(2);
if (!address || !bearer || !apiKey) throw new Error('usage: node run.ts <base address> <bearer key> <api_key key>');
const gateway = { base: new URL(address).origin, bearer, apiKey };

for (const client of [apolloClient, urqlClient, openapiClients, webhookReceiver]) console.log(`${client.name}: ${await client(gateway)}`);
