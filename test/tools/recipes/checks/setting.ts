// A setting that was added is read, checked by name, documented with its default, and used by the running process.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readConfig } from '../../../../src/config.ts';
import { packagePath } from '../../../../src/runtime/package-root.ts';
import { useGateway } from '../../../support/gateway.ts';

const gateway = useGateway({ queuePollSeconds: 1 });

it('the setting has a default, is read, and is rejected by name', () => {
  expect(readConfig({}).queuePollSeconds).toBe(2);
  expect(readConfig({ QUEUE_POLL_SECONDS: '7' }).queuePollSeconds).toBe(7);
  expect(() => readConfig({ QUEUE_POLL_SECONDS: '0' })).toThrow('QUEUE_POLL_SECONDS must be between 1 and 60');
  expect(() => readConfig({ QUEUE_POLL_SECONDS: 'soon' })).toThrow('QUEUE_POLL_SECONDS must be a whole number');
});

it('.env.example documents it with its default, and the services have its value', () => {
  expect(readFileSync(packagePath('.env.example'), 'utf8')).toMatch(/^#QUEUE_POLL_SECONDS=2 +# \S/m);
  expect(gateway.services.config.queuePollSeconds).toBe(1);
});
