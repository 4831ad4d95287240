// What a connector meets in responses that its source does not describe: an error of the language, which callers see as an error of the source.
import type { Logger } from 'pino';
import { GatewayError } from '../../records/errors.ts';
import type { Connector, PullRequest } from './connector.ts';

const isUnexpected = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

/** A connector that throws PLATFORM_ERROR where it cannot read what its source sent. The log has the place in the connector. */
export function readableOnly(connector: Connector, title: string, log: Logger): Connector {
  const read = (error: unknown): unknown => {
    if (!isUnexpected(error)) return error;
    log.warn({ err: error, source: title }, 'a connector could not read what its source sent');
    return new GatewayError('PLATFORM_ERROR', `${title} returned records in a form that its connector cannot read`);
  };
  const pull = async function* (request: PullRequest) {
    try {
      yield* connector.pull(request);
    } catch (error) {
      throw read(error);
    }
  };
  return new Proxy(connector, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name === 'pull') return pull;
      return async (...given: unknown[]) => {
        try {
          return await member.apply(target, given);
        } catch (error) {
          throw read(error);
        }
      };
    },
  });
}
