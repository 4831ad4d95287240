// The pages of a source, each within a time: a source that drips, is silent or never ends must not keep a worker.
import { GatewayError } from '../../records/errors.ts';
import type { SourcePage } from './connector.ts';

/**
 * Yields the pages. After `pageMs` without a page it throws PLATFORM_TIMEOUT, and `stop` ends the work of the source with the same error. A generator
 * cannot be ended while it works on a page.
 */
export async function* timedPages(
  pages: AsyncIterable<SourcePage>,
  pageMs: number,
  stop: (error: GatewayError) => void,
): AsyncGenerator<SourcePage> {
  const iterator = pages[Symbol.asyncIterator]();
  let isLate = false;
  const late = Promise.withResolvers<never>();
  const end = (): void => {
    isLate = true;
    const error = new GatewayError('PLATFORM_TIMEOUT', `the source gave no page of records in ${pageMs / 1_000} seconds`);
    late.reject(error);
    stop(error);
  };
  try {
    for (;;) {
      const timer = setTimeout(end, pageMs);
      const { done, value } = await Promise.race([iterator.next(), late.promise]).finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    if (!isLate) await iterator.return?.();
  }
}
