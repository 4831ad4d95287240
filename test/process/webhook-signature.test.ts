// Signatures verify with independent libraries, and sealed secrets withstand every kind of tampering.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { describe, expect, test } from 'vitest';
import { createSecretBox } from '../../src/security/secret-box.ts';
import { Signer } from '../../src/security/signer.ts';
import { generateSecret, previewSecret, publicKeyOf, refuseSecret, signatureHeaders, signingKey } from '../../src/webhooks/signature.ts';

const run = promisify(execFile);
const message = (body = '{"topic":"PRODUCTS.CREATED","data":{"name":"Zürich – 東京 😀"}}') => ({ id: 'evt_01', sentAt: new Date(), body });
const privateKey = signingKey(new Signer('a signing secret of some length'), 'whk_1');
const RAW = 'a caller chose this secret';

describe('signature', () => {
  test('a generated secret signs what standardwebhooks and svix verify', () => {
    const secret = generateSecret();
    const headers = signatureHeaders(message(), [secret], privateKey);
    expect(new Standard(secret).verify(message().body, headers)).toEqual(JSON.parse(message().body));
    expect(() => new Svix(secret).verify(message().body, headers)).not.toThrow();
  });

  test('the published example of Standard Webhooks gets its published signature', () => {
    const example = { id: 'msg_loFOjxBNrRLzqYUf', sentAt: new Date(1731705121_000), body: '{"event_type":"ping","data":{"success":true}}' };
    expect(signatureHeaders(example, ['whsec_plJ3nmyCDGBKInavdOK15jsl'], privateKey)).toEqual({
      'webhook-id': example.id,
      'webhook-timestamp': '1731705121',
      'webhook-signature': expect.stringMatching(/^v1,rAvfW3dJ\/X\/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0= v1a,[A-Za-z0-9+/]{86}==$/),
    });
  });

  test('a secret of the caller signs with its own bytes', () => {
    const headers = signatureHeaders(message(), [RAW], privateKey);
    expect(() => new Standard(RAW, { format: 'raw' }).verify(message().body, headers)).not.toThrow();
    expect(() => new Svix(RAW, { format: 'raw' }).verify(message().body, headers)).not.toThrow();
  });

  test('during a rotation the old and the new secret both verify, and a third does not', () => {
    const [old, fresh] = [generateSecret(), generateSecret()];
    const headers = signatureHeaders(message(), [fresh, old], privateKey);
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(3);
    for (const secret of [old, fresh]) expect(() => new Svix(secret).verify(message().body, headers)).not.toThrow();
    expect(() => new Svix(generateSecret()).verify(message().body, headers)).toThrow('No matching signature');
  });

  test('a changed body, id or time does not verify', () => {
    const secret = generateSecret();
    const headers = signatureHeaders(message(), [secret], privateKey);
    const verify = (body: string, changed = {}): unknown => new Standard(secret).verify(body, { ...headers, ...changed });
    expect(() => verify(`${message().body} `)).toThrow();
    expect(() => verify(message().body, { 'webhook-id': 'evt_02' })).toThrow();
    expect(() => verify(message().body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) })).toThrow();
  });

  test('any body verifies byte for byte', () => {
    const secret = generateSecret();
    fc.assert(
      fc.property(fc.json({ stringUnit: 'grapheme' }), (body) => {
        new Svix(secret).verify(body, signatureHeaders(message(body), [secret], privateKey));
      }),
      { numRuns: 200 },
    );
  });

  test('without a secret there is no signature', () => {
    expect(() => signatureHeaders(message(), [], privateKey)).toThrow('no secret');
  });
});

describe('the asymmetric signature', () => {
  /** Whether OpenSSL takes the signature of a message for that of a public key. */
  async function isVerified(publicKey: string, headers: Record<string, string>, body: string): Promise<boolean> {
    const folder = await mkdtemp(join(tmpdir(), 'signature-'));
    const file = (name: string): string => join(folder, name);
    const [, signature = ''] = headers['webhook-signature']!.split(' ').at(-1)!.split(',');
    await writeFile(file('content'), `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
    await writeFile(file('signature'), Buffer.from(signature, 'base64'));
    // The ASN.1 of an Ed25519 public key before its 32 bytes.
    await writeFile(
      file('key'),
      Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64')]),
    );
    const verify = ['pkeyutl', '-verify', '-rawin', '-pubin', '-keyform', 'DER', '-inkey', file('key')];
    return run('openssl', [...verify, '-in', file('content'), '-sigfile', file('signature')])
      .then(
        () => true,
        () => false,
      )
      .finally(() => rm(folder, { recursive: true }));
  }

  test('is verified by OpenSSL with the public key of its webhook, and with no other', async () => {
    const { body } = message();
    const headers = signatureHeaders(message(), [RAW], privateKey);
    expect(await isVerified(publicKeyOf(privateKey), headers, body)).toBe(true);
    expect(await isVerified(publicKeyOf(privateKey), headers, `${body} `)).toBe(false);
    for (const other of [
      signingKey(new Signer('a signing secret of some length'), 'whk_2'),
      signingKey(new Signer('another signing secret'), 'whk_1'),
    ])
      expect(await isVerified(publicKeyOf(other), headers, body)).toBe(false);
  });

  test('comes from a key that is the same after a restart', () => {
    expect(publicKeyOf(privateKey)).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect(publicKeyOf(signingKey(new Signer('a signing secret of some length'), 'whk_1'))).toBe(publicKeyOf(privateKey));
  });
});

describe('secrets', () => {
  test('a generated secret is whsec_ and 32 random bytes, and passes the rules for supplied ones', () => {
    const secret = generateSecret();
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
    expect(refuseSecret(secret)).toBeNull();
    expect(generateSecret()).not.toBe(secret);
  });

  test.each(['x'.repeat(24), 'x'.repeat(256), RAW, `whsec_${Buffer.alloc(16).toString('base64')}`])('%j is a usable secret', (secret) => {
    expect(refuseSecret(secret)).toBeNull();
  });

  test.each([
    ['x'.repeat(23), '24 to 256'],
    ['x'.repeat(257), '24 to 256'],
    [`${'x'.repeat(30)}\n`, 'printable'],
    [`${'x'.repeat(30)}ü`, 'printable'],
    ['whsec_not base64 at all, really', 'base64'],
    ['whsec_AAAAAAAAAAAAAAAAAAAA', '16 bytes'],
  ])('%j is no usable secret', (secret, reason) => {
    expect(refuseSecret(secret)).toContain(reason);
  });

  test('a preview shows the prefix and four characters', () => {
    expect(previewSecret('whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgMTIzNA==')).toBe('whsec_…NA==');
    expect(previewSecret(RAW)).toBe('…cret');
  });
});

describe('secret box', () => {
  const box = createSecretBox('a signing secret of some length');

  test('a sealed text opens again, and no two seals are alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (secret) => {
        expect(box.open(box.seal(secret, 'whk_1'), 'whk_1')).toBe(secret);
      }),
    );
    expect(box.seal(RAW, 'whk_1')).not.toBe(box.seal(RAW, 'whk_1'));
    expect(box.seal(RAW, 'whk_1')).not.toContain(RAW);
  });

  test('another owner, another signing secret and any changed byte are rejected', () => {
    const sealed = box.seal(RAW, 'whk_1');
    expect(() => box.open(sealed, 'whk_2')).toThrow('does not open');
    expect(() => createSecretBox('another signing secret').open(sealed, 'whk_1')).toThrow('does not open');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => box.open(`v1.${changed.toString('base64url')}`, 'whk_1')).toThrow('does not open');
    }
  });

  test.each(['', 'v1.', 'v2.AAAA', 'plain text', 'v1.AAAA'])('%j is not a sealed secret', (text) => {
    expect(() => box.open(text, 'whk_1')).toThrow('unknown form');
  });

  test('a short signing secret is rejected', () => {
    expect(() => createSecretBox('short')).toThrow('at least 16');
  });
});
