// Checks the connector and the built gateway against a real Tryton: node test/tools/tryton/check.ts [--kills N] [--gateway-kills N] [--seed N] [--only gateway|books]
// Ends with 3 where the packages of Tryton are not installed; the last line says which.
import { parseArgs } from 'node:util';
import { booksAreTheSame } from './books.ts';
import { declarationsHold, everyFieldIsKept } from './capabilities.ts';
import { membersAreKnown } from './contract.ts';
import { gatewayKillsLoseNothing } from './gateway.ts';
import { killsLeaveOneEffect } from './kills.ts';
import { paymentsAddUp, paymentsCome } from './payments.ts';
import {
  dimensionsAreKept,
  everythingIsPulled,
  interruptionsLoseNothing,
  onlyChangesCome,
  referencesLeadSomewhere,
  sessionsAreRenewed,
  settingsAreTried,
} from './pulls.ts';
import { contactsAreWritten, documentsAreWritten, itemsAreWritten, nothingIsOverwritten, refusalsAreTold } from './pushes.ts';
import { lacking, startTryton, type TrytonServer, version } from './server.ts';
import { newSetsCome, severalTaxesAreKept, severalTaxesAreWritten } from './taxes.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '6' },
    'gateway-kills': { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

let failures = 0;
async function step<T>(name: string, check: () => Promise<T> | T, figures: (result: T) => string = String): Promise<T | undefined> {
  const started = performance.now();
  try {
    const result = await check();
    console.log(`ok   ${name} (${((performance.now() - started) / 1_000).toFixed(1)} s): ${figures(result)}`);
    return result;
  } catch (error) {
    failures += 1;
    console.log(`FAIL ${name}: ${error instanceof Error ? error.stack : error}`);
    return undefined;
  }
}

const gatewayStep = (server: TrytonServer): Promise<unknown> =>
  step('Kills of the gateway lose nothing', () => gatewayKillsLoseNothing(server, Number(values['gateway-kills']), Number(values.seed)));

const booksStep = async (server: TrytonServer): Promise<unknown> => {
  const seed = Number(values.seed);
  await step(
    'Two fiscal years are kept',
    () => server.addBooks(seed),
    () => `seed ${seed}`,
  );
  return step('The reports are those of Tryton', () => booksAreTheSame(server, seed));
};

const alone: Record<string, (server: TrytonServer) => Promise<unknown>> = { gateway: gatewayStep, books: booksStep };

async function run(server: TrytonServer): Promise<void> {
  await step('Settings are tried', () => settingsAreTried(server));
  const pulled = await step(
    'Everything is pulled',
    () => everythingIsPulled(server),
    ({ figures }) => figures,
  );
  if (!pulled) return;
  const { books } = pulled;
  await step('Members are known', () => membersAreKnown(books));
  await step('Declarations hold', () => declarationsHold(server, books));
  await step('Every field is kept', () => everyFieldIsKept(server));
  await step('References lead somewhere', () => referencesLeadSomewhere(books));
  await step('Dimensions are kept', () => dimensionsAreKept(server, books));
  await step('Several taxes are kept', () => severalTaxesAreKept(server, books));
  await step('Payments add up', () => paymentsAddUp(server, books));
  await step('Only changes come', () => onlyChangesCome(server, books));
  await step('Interruptions lose nothing', () => interruptionsLoseNothing(server, books));
  await step('Sessions are renewed', () => sessionsAreRenewed(server));
  await step('Contacts are written', () => contactsAreWritten(server));
  await step('Items are written', () => itemsAreWritten(server));
  await step('Documents are written', () => documentsAreWritten(server));
  await step('Several taxes are written', () => severalTaxesAreWritten(server));
  await step('Taxes that are new together come', () => newSetsCome(server));
  await step('Payments come', () => paymentsCome(server));
  await step('Rejections are reported', () => refusalsAreTold(server));
  await step('No change is overwritten', () => nothingIsOverwritten(server));
  await step('Kills leave one effect', () => killsLeaveOneEffect(server, Number(values.kills), Number(values.seed)));
  await gatewayStep(server);
  await booksStep(server);
}

const missing = lacking();
if (missing) {
  console.log(`the connector to Tryton is not tried: ${missing}`);
  process.exitCode = 3;
} else {
  const server = await startTryton();
  try {
    await (alone[values.only ?? ''] ?? run)(server);
  } finally {
    await server.stop();
  }
  console.log(`Tryton ${version()}, ${failures} checks failed`);
  process.exitCode = failures > 0 ? 1 : 0;
}
