// The ISO 3166 content that the running work goes by: that of the register of its gateway, and the shipped content outside a gateway.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IsoContent } from './content.ts';
import { shippedIsoContent } from './shipped-content.ts';

/** Holds the content that is in force now. */
export interface ContentHolder {
  readonly current: IsoContent;
}

const holders = new AsyncLocalStorage<ContentHolder>();

/** Runs work that goes by the content of a holder. */
export const goingBy = <T>(holder: ContentHolder, work: () => T): T => holders.run(holder, work);

/** The content in force. Rules ask here, because they are plain functions that know no gateway. */
export const isoInForce = (): IsoContent => holders.getStore()?.current ?? shippedIsoContent();
