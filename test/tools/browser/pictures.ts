// Takes the pictures of the README from a gateway with demo data: the playground with a response, and the dashboard, in light and dark.
// node pictures.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../gateway.ts';
import { launch } from './launch.ts';
import { press } from './visit.ts';

const PICTURES = join(import.meta.dirname, '../../../docs/pictures');
const QUERY = `{
  company(id: 1) {
    name
    purchaseOrders(
      first: 2
      orderBy: { field: TOTAL_AMOUNT, direction: DESC }
    ) {
      totalCount
      nodes {
        documentNumber
        totalAmount
        contact { name }
      }
    }
  }
}`;

const data = mkdtempSync(join(tmpdir(), 'gateway-pictures-'));
const [gateway, browser] = await Promise.all([startGateway(data), launch()]);
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 800 },
      reducedMotion: 'reduce',
      locale: 'en-GB',
      colorScheme,
    });
    const page = await context.newPage();
    await page.goto(`${gateway.base}/graphql?query=${encodeURIComponent(QUERY)}`);
    await page.locator('.document .cm-line span[class]').first().waitFor();
    for (const _ of ['cold', 'warm']) {
      await press(page, 'Run');
      await page.locator('.response .cm-line', { hasText: 'data' }).first().waitFor();
      await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    }
    await page.screenshot({ path: join(PICTURES, `playground-${colorScheme}.png`) });
    await page.goto(`${gateway.base}/apps/dashboard`);
    await page.locator('.live[data-live="true"]').waitFor();
    await page.screenshot({ path: join(PICTURES, `dashboard-${colorScheme}.png`) });
    await context.close();
  }
} finally {
  await Promise.all([browser.close(), gateway.stop()]);
  rmSync(data, { recursive: true });
}
