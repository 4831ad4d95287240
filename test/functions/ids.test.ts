// Global ids as functions. The ids of a moment were computed with Python as TypeID 0.3 and UUIDv7 (RFC 9562) say.
import { describe, expect, it } from 'vitest';
import { Currency } from '../../src/integrations/records/currency.ts';
import { decodeGlobalId, firstIdAt, isTypeId, ledgerGlobalId, newId, storedGlobalId } from '../../src/records/ids.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { Webhook } from '../../src/webhooks/webhook.ts';

const [currency, webhook] = [modelOf(Currency), modelOf(Webhook)];

describe('ids of platform records', () => {
  it('the least of a moment', () => {
    expect(firstIdAt('whk', new Date('2026-01-31T10:00:00.123Z'))).toBe('whk_01kg9qxgbve008000000000000');
    expect(firstIdAt('whk', new Date(1))).toBe('whk_0000000001e008000000000000');
  });

  it('a new one sorts between those of the moments before and after it', () => {
    const before = firstIdAt('whk', new Date());
    const id = newId('whk');
    expect(id > before && id < firstIdAt('whk', new Date(Date.now() + 1))).toBe(true);
    expect([isTypeId(id, 'whk'), isTypeId(id, 'wh'), isTypeId(id, 'currency')]).toEqual([true, false, false]);
    for (const text of ['', 'whk', 'whk_', 'whk_1', `${id}0`, id.slice(0, -1), id.toUpperCase()])
      expect(isTypeId(text, 'whk'), text).toBe(false);
  });
});

describe('global ids', () => {
  const id = newId('whk');

  it('are the prefix and the number, or the key', () => {
    expect(ledgerGlobalId('currency', 7)).toBe('currency_7');
    expect([storedGlobalId(currency, 7), storedGlobalId(currency, '7'), storedGlobalId(webhook, id)]).toEqual([
      'currency_7',
      'currency_7',
      id,
    ]);
  });

  it('name a record type and its key', () => {
    expect(decodeGlobalId('currency_7')).toEqual({ model: currency, key: 7 });
    expect(decodeGlobalId('currency_123456789012345')).toEqual({ model: currency, key: 123456789012345 });
    expect(decodeGlobalId(id)).toEqual({ model: webhook, key: id });
    for (const text of [
      '',
      '_',
      '7',
      '_7',
      'currency',
      'currency_',
      'currency_0',
      'currency_07',
      'currency_7x',
      'currency_x7',
      'currency_1234567890123456',
      'none_7',
      'whk_7',
      `${id}0`,
      `x${id}`,
    ])
      expect(decodeGlobalId(text), text).toBe(undefined);
  });
});
