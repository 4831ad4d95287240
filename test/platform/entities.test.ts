// Business entities: the documented listing, file links, operators' mutations, the demo data.
import { describe, expect, it } from 'vitest';
import { seedDemoEntities } from '../../src/platform/demo/entities.ts';
import { ADMIN_TOKEN, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { operate, recordEvents } from '../support/registrations.ts';

const gateway = useGateway();
const MINUTE = 60_000;

interface Owner {
  name: string;
  entities: string;
  platform: string;
}

let count = 0;
const buildOwner = async (): Promise<Owner> => {
  const name = `Entity owner ${++count}`;
  return { name, entities: await gateway.key(['ENTITIES'], name), platform: await gateway.key(['PLATFORM'], name) };
};
const listing = (key: string, id: number | string, headers: Record<string, string> = {}): Promise<GatewayResponse> =>
  gateway.send('GET', `/api/v1/public/business-entities/${id}/registrations`, { headers: { 'x-api-key': key, ...headers } });
const seed = async (owner: Owner): Promise<number[]> => {
  const principal = await gateway.services.keys.find(owner.entities);
  return seedDemoEntities(gateway.services, { id: principal!.organisationId! });
};
const codeOf = (response: GatewayResponse): string => response.body.errors?.[0]?.extensions.code ?? 'OK';
const buildEntity = async (owner: Owner, fields = 'country: "US", state: "DE", corporationType: C_CORP'): Promise<number> => {
  const response = await operate(
    gateway,
    `upsertBusinessEntity(input: { organisationName: "${owner.name}", legalName: "Acme", ${fields} })`,
    'businessEntity { businessEntityId }',
  );
  return response.body.data.upsertBusinessEntity.businessEntity.businessEntityId;
};
const addRegistration = async (entity: number, fields = 'purpose: CORPORATE_REGISTRY, registrationStatus: ACTIVE'): Promise<string> => {
  const response = await operate(
    gateway,
    `addEntityRegistration(input: { businessEntityId: ${entity}, displayName: "Registry", description: "The registry", ${fields} })`,
    'registration { id }',
  );
  return response.body.data.addEntityRegistration.registration.id;
};
const buildFile = async (owner: Owner): Promise<string> =>
  (
    await gateway.graphql(
      owner.platform,
      'mutation { createFile(input: { content: "a,b", name: "proof.txt", purpose: SUPPORTING_DOCUMENT }) { file { id } } }',
    )
  ).body.data.createFile.file.id;

describe('the listing', () => {
  it('registrations and count, with every documented field and nothing else', async () => {
    const owner = await buildOwner();
    const [us, india] = await seed(owner);
    const response = await listing(owner.entities, us!);
    expect(response.status).toBe(200);
    expect(Object.keys(response.body).sort()).toEqual(['count', 'registrations']);
    expect(response.body.count).toBe(response.body.registrations.length);
    const [registry, tax] = response.body.registrations;
    const millis = expect.any(Number);
    expect(registry).toEqual({
      id: expect.stringMatching(/^ber_/),
      country: 'US',
      jurisdiction: 'DE',
      businessEntityId: us,
      corporationType: 'C_CORP',
      effectiveStartDate: '2021-03-15',
      effectiveEndDate: null,
      registeredBy: 'PLATFORM',
      displayName: 'Delaware corporate registry',
      description: expect.any(String),
      purpose: 'CORPORATE_REGISTRY',
      isFunctionCritical: true,
      isCustom: false,
      status: 'VALID',
      registrationStatus: 'ACTIVE',
      internalIdentifier: 'US_DE_CORP_REGISTRY',
      createdAt: millis,
      lastUpdatedAt: millis,
      acknowledgements: [
        {
          id: millis,
          documentType: 'FORMATION_DOCUMENT',
          documentSubType: 'CertificateOfIncorporation',
          supportsDataStorage: true,
          isTimeSensitive: false,
          isUnique: true,
          fileName: 'certificate-of-incorporation.pdf',
          fileUrl: expect.stringMatching(/^http/),
          complianceTag: null,
          compliancePurpose: 'CORPORATE_REGISTRY',
          dateOfIssuance: '2021-03-15',
          dateOfExpiration: null,
          effectiveStartDate: '2021-03-15',
          effectiveEndDate: null,
          data: { fileNumber: '5551234' },
          createdAt: millis,
          updatedAt: millis,
          deprecatedFieldsForFrontend: {},
          explicitDocumentType: '',
        },
      ],
      governmentIdentifiers: [
        {
          id: expect.stringMatching(/^gid_/),
          country: 'US',
          corporationId: us,
          corporationType: 'C_CORP',
          key: 'US_STATE_FILE_NUMBER',
          displayName: 'State file number',
          shortName: 'State file number',
          description: expect.any(String),
          purposes: ['FORMATION'],
          isFunctionCritical: true,
          isCustom: false,
          jurisdiction: 'DE',
          value: '5551234',
          createdAt: millis,
          lastUpdatedAt: millis,
          regexString: '^[A-Z0-9-]{1,20}$',
          supportingDocument: {
            id: millis,
            fileName: 'certificate-of-incorporation.pdf',
            fileUrl: expect.stringMatching(/^http/),
            type: 'CertificateOfIncorporation',
            category: 'FORMATION_DOCUMENT',
            fileTypeSpecifiers: ['.pdf', '.png', '.jpg', '.jpeg'],
          },
          linkedRegistrations: [
            { internalIdentifier: 'US_DE_CORP_REGISTRY', displayName: 'Delaware corporate registry', purpose: 'CORPORATE_REGISTRY' },
          ],
        },
      ],
    });
    expect([registry.createdAt, registry.acknowledgements[0].id, registry.acknowledgements[0].createdAt].every(Number.isSafeInteger)).toBe(
      true,
    );
    expect(Math.abs(registry.createdAt - gateway.clock.now().getTime())).toBeLessThan(10 * MINUTE);
    expect(tax.governmentIdentifiers[0]).toMatchObject({
      key: 'US_EIN',
      value: '91-1144442',
      purposes: ['TAXATION', 'PAYROLL'],
      regexString: '^[0-9]{2}-?[0-9]{7}$',
    });
    const indian = (await listing(owner.entities, india!)).body;
    expect(indian.registrations.map((one: { purpose: string }) => one.purpose)).toEqual([
      'CORPORATE_REGISTRY',
      'INCOME_TAX',
      'INDIRECT_TAX',
    ]);
  });

  it('only the x-api-key header counts, and only a key with the role', async () => {
    const owner = await buildOwner();
    const [us] = await seed(owner);
    const path = `/api/v1/public/business-entities/${us}/registrations`;
    const missing = await gateway.send('GET', path);
    expect([missing.status, missing.body.message]).toEqual([401, 'Missing x-api-key header']);
    const bearer = await gateway.send('GET', path, { headers: { authorization: `Bearer ${owner.entities}` } });
    expect([bearer.status, bearer.body.error.code]).toEqual([401, 'UNAUTHENTICATED']);
    const wrong = await listing('ent_nonsense', us!);
    expect([wrong.status, wrong.body.message]).toEqual([401, 'Invalid API key']);
    const role = await listing(owner.platform, us!);
    expect([role.status, role.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('an unknown entity is 404, one of another organisation byte for byte the same, and a malformed id is 400', async () => {
    const owner = await buildOwner();
    const [foreign] = await seed(await buildOwner());
    const headers = { 'x-request-id': 'same-request-id' };
    const [unknown, other] = [await listing(owner.entities, 999_999, headers), await listing(owner.entities, foreign!, headers)];
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'BUSINESS_ENTITY_NOT_FOUND']);
    expect(other.text).toBe(unknown.text.replaceAll('999999', String(foreign)));
    for (const id of ['0', '-1', '1.5', 'one', '99999999999999999999', '%00', '1e3'])
      expect([id, (await listing(owner.entities, id)).status]).toEqual([id, 400]);
  });

  it('the tax host does not serve business entities', async () => {
    const owner = await buildOwner();
    const response = await gateway.send('GET', '/tax/api/v1/public/business-entities/1/registrations', {
      headers: { 'x-api-key': owner.entities },
    });
    expect(response.status).toBe(404);
  });

  it('file links open without a key for 15 minutes, and not with a changed signature', async () => {
    const owner = await buildOwner();
    const [us] = await seed(owner);
    const { acknowledgements } = (await listing(owner.entities, us!)).body.registrations[0];
    const link = new URL(acknowledgements[0].fileUrl);
    const path = link.pathname + link.search;
    const file = await gateway.send('GET', path);
    expect([file.status, file.headers.get('content-type'), file.text.slice(0, 8)]).toEqual([200, 'application/pdf', '%PDF-1.4']);
    expect((await gateway.send('GET', `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404);
    gateway.clock.advance(15 * MINUTE + 2_000);
    expect((await gateway.send('GET', path)).status).toBe(404);
  });

  it('GraphQL returns the same entity with its registrations, nested', async () => {
    const owner = await buildOwner();
    const [us] = await seed(owner);
    const query = `{ businessEntity(businessEntityId: ${us}) { legalName registrations { displayName governmentIdentifiers { key verdict linkedRegistrations { displayName } } } } }`;
    const entity = (await gateway.graphql(owner.entities, query)).body.data.businessEntity;
    expect(entity.legalName).toBe('Blue Harbor Trading, Inc.');
    expect(entity.registrations[1].governmentIdentifiers).toEqual([
      { key: 'US_EIN', verdict: 'VALID', linkedRegistrations: [{ displayName: 'Federal tax' }] },
    ]);
  });

  it('an expired registration is shown as EXPIRED', async () => {
    const owner = await buildOwner();
    const entity = await buildEntity(owner);
    await addRegistration(
      entity,
      'purpose: BUSINESS_LICENSE, registrationStatus: ACTIVE, effectiveStartDate: "2020-01-01", effectiveEndDate: "2020-12-31"',
    );
    await addRegistration(
      entity,
      'purpose: BUSINESS_LICENSE, registrationStatus: WITHDRAWN, effectiveStartDate: "2020-01-01", effectiveEndDate: "2020-12-31"',
    );
    const { registrations } = (await listing(owner.entities, entity)).body;
    expect(registrations.map((one: { registrationStatus: string }) => one.registrationStatus)).toEqual(['EXPIRED', 'WITHDRAWN']);
  });
});

describe('the mutations of operators', () => {
  it('an entity is recorded and changed; its form must be one of its country', async () => {
    const owner = await buildOwner();
    const entity = await buildEntity(owner);
    const change = (fields: string) =>
      operate(
        gateway,
        `upsertBusinessEntity(input: { businessEntityId: ${entity}, legalName: "Acme 2", ${fields} })`,
        'businessEntity { businessEntityId legalName state corporationType }',
      );
    expect((await change('country: "US", state: "WY", corporationType: LLC')).body.data.upsertBusinessEntity.businessEntity).toEqual({
      businessEntityId: entity,
      legalName: 'Acme 2',
      state: 'WY',
      corporationType: 'LLC',
    });
    expect(codeOf(await change('country: "US", state: "WY", corporationType: FREE_ZONE_COMPANY'))).toBe('INVALID_PARAMS');
    expect(codeOf(await change('country: "US", state: "QQ", corporationType: LLC'))).toBe('INVALID_PARAMS');
    expect(
      codeOf(
        await operate(
          gateway,
          'upsertBusinessEntity(input: { organisationName: "nobody at all", legalName: "A", country: "SG", corporationType: LLP })',
          'businessEntity { legalName }',
        ),
      ),
    ).toBe('PARTNER_NOT_FOUND');
    expect(
      codeOf(
        await operate(
          gateway,
          'upsertBusinessEntity(input: { businessEntityId: 999999, legalName: "A", country: "SG", corporationType: LLP })',
          'businessEntity { legalName }',
        ),
      ),
    ).toBe('BUSINESS_ENTITY_NOT_FOUND');
  });

  it('a registration is changed; its last day comes after its first; what is required cannot be cleared', async () => {
    const owner = await buildOwner();
    const id = await addRegistration(await buildEntity(owner), 'purpose: TAXATION, effectiveStartDate: "2024-05-01"');
    const change = (fields: string) =>
      operate(
        gateway,
        `updateEntityRegistration(input: { id: "${id}", ${fields} })`,
        'registration { status registrationStatus jurisdiction effectiveEndDate isFunctionCritical }',
      );
    expect(
      (await change('status: VALID, registrationStatus: ACTIVE, effectiveEndDate: "2099-01-01"')).body.data.updateEntityRegistration
        .registration,
    ).toEqual({
      status: 'VALID',
      registrationStatus: 'ACTIVE',
      jurisdiction: 'FEDERAL',
      effectiveEndDate: '2099-01-01',
      isFunctionCritical: false,
    });
    expect(codeOf(await change('effectiveEndDate: "2024-05-01"'))).toBe('INVALID_PARAMS');
    expect(codeOf(await change('effectiveStartDate: "2099-01-01"'))).toBe('INVALID_PARAMS');
    expect(codeOf(await change('displayName: null'))).toBe('INVALID_PARAMS');
    expect((await change('effectiveEndDate: null')).body.data.updateEntityRegistration.registration.effectiveEndDate).toBeNull();
  });

  const numbers: [key: string, value: string, outcome: string, fields?: string][] = [
    ['US_EIN', '91-1144442', 'VALID'],
    ['US_EIN', '07-1144442', 'INVALID'],
    ['US_EIN', '9111', 'INVALID_PARAMS'],
    ['IN_GSTIN', '27AAPFU0939F1ZV', 'VALID', 'country: "IN", state: "KA", corporationType: PRIVATE_LIMITED_COMPANY'],
    ['IN_GSTIN', '27AAPFU0939F1ZO', 'INVALID', 'country: "IN", state: "KA", corporationType: PRIVATE_LIMITED_COMPANY'],
    ['IN_GSTIN', '0717USA12345NF1', 'VALID', 'country: "IN", state: "KA", corporationType: PRIVATE_LIMITED_COMPANY'],
    ['IN_GSTIN', '0717AUS12345UN1', 'VALID', 'country: "IN", state: "KA", corporationType: PRIVATE_LIMITED_COMPANY'],
    ['IN_GSTIN', '369296450896540', 'INVALID_PARAMS', 'country: "IN", state: "KA", corporationType: PRIVATE_LIMITED_COMPANY'],
    ['IN_LLPIN', 'AAA-1234', 'INVALID_PARAMS', 'country: "IN", state: "KA", corporationType: PRIVATE_LIMITED_COMPANY'],
    ['GB_VAT', '980 7806 84', 'VALID', 'country: "GB", corporationType: PRIVATE_LIMITED_COMPANY'],
    ['GB_VAT', 'GB802311781', 'INVALID', 'country: "GB", corporationType: PRIVATE_LIMITED_COMPANY'],
    ['SG_UEN', '197401143C', 'VALID', 'country: "SG", corporationType: LLP'],
    ['CA_BN', '123456782', 'VALID', 'country: "CA", corporationType: CORPORATION'],
  ];
  it.each(numbers)('%s %s is %s', async (key, value, outcome, fields) => {
    const entity = await buildEntity(await buildOwner(), fields);
    const response = await operate(
      gateway,
      `addGovernmentIdentifier(input: { businessEntityId: ${entity}, key: "${key}", value: "${value}" })`,
      'warnings governmentIdentifier { verdict value }',
    );
    const stored = response.body.data?.addGovernmentIdentifier;
    expect(stored ? stored.governmentIdentifier : codeOf(response)).toEqual(stored ? { verdict: outcome, value } : outcome);
    if (stored) expect(stored.warnings).toHaveLength(outcome === 'INVALID' ? 1 : 0);
  });

  it('a kind outside the catalogue is custom and needs a name; a number is recorded once', async () => {
    const entity = await buildEntity(await buildOwner());
    const add = (fields: string) =>
      operate(
        gateway,
        `addGovernmentIdentifier(input: { businessEntityId: ${entity}, key: "US_DUNS", value: "15-048-3782", ${fields} })`,
        'governmentIdentifier { isCustom displayName regexString purposes }',
      );
    expect(codeOf(await add('purposes: [TRADE]'))).toBe('MISSING_PARAMS');
    expect((await add('displayName: "D-U-N-S number", purposes: [TRADE]')).body.data.addGovernmentIdentifier.governmentIdentifier).toEqual({
      isCustom: true,
      displayName: 'D-U-N-S number',
      regexString: null,
      purposes: ['TRADE'],
    });
    expect(codeOf(await add('displayName: "D-U-N-S number", purposes: [TRADE]'))).toBe('RECORD_ALREADY_EXISTS');
  });

  it('an identifier is linked to registrations of its own entity only; linking twice changes nothing', async () => {
    const owner = await buildOwner();
    const entity = await buildEntity(owner);
    const registration = await addRegistration(entity);
    const stray = await addRegistration(await buildEntity(owner));
    const added = await operate(
      gateway,
      `addGovernmentIdentifier(input: { businessEntityId: ${entity}, key: "US_EIN", value: "911144442" })`,
      'governmentIdentifier { id }',
    );
    const { id } = added.body.data.addGovernmentIdentifier.governmentIdentifier;
    const link = (to: string) =>
      operate(
        gateway,
        `linkIdentifierToRegistration(input: { identifierId: "${id}", registrationId: "${to}" })`,
        'governmentIdentifier { linkedRegistrations { displayName } }',
      );
    expect(codeOf(await link(stray))).toBe('REGISTRATION_NOT_FOUND');
    await link(registration);
    expect((await link(registration)).body.data.linkIdentifierToRegistration.governmentIdentifier.linkedRegistrations).toEqual([
      { displayName: 'Registry' },
    ]);
    expect((await listing(owner.entities, entity)).body.registrations[0].governmentIdentifiers).toHaveLength(1);
  });

  it('a document is attached and removed; a file of another organisation is unknown', async () => {
    const owner = await buildOwner();
    const entity = await buildEntity(owner);
    const registration = await addRegistration(entity);
    const attach = (fields: string) =>
      operate(
        gateway,
        `attachAcknowledgement(input: { registrationId: "${registration}", ${fields} })`,
        'acknowledgement { id documentType isTimeSensitive explicitDocumentType }',
      );
    expect(codeOf(await attach(`documentSubType: Bylaws, fileId: "${await buildFile(await buildOwner())}"`))).toBe('FILE_NOT_FOUND');
    const fileId = await buildFile(owner);
    expect(codeOf(await attach(`documentSubType: Other, fileId: "${fileId}"`))).toBe('MISSING_PARAMS');
    const attached = await attach(
      `documentSubType: Other, explicitDocumentType: "Letter", dateOfExpiration: "2099-01-01", fileId: "${fileId}"`,
    );
    const { id, ...rest } = attached.body.data.attachAcknowledgement.acknowledgement;
    expect(rest).toEqual({ documentType: 'OTHER_DOCUMENT', isTimeSensitive: true, explicitDocumentType: 'Letter' });
    expect((await listing(owner.entities, entity)).body.registrations[0].acknowledgements).toHaveLength(1);
    const events = await recordEvents(gateway, owner.entities);
    const remove = () => operate(gateway, `removeAcknowledgement(input: { id: ${id} })`, 'acknowledgementId');
    expect((await remove()).body.data.removeAcknowledgement.acknowledgementId).toBe(id);
    expect(codeOf(await remove())).toBe('RECORD_NOT_FOUND');
    expect((await listing(owner.entities, entity)).body.registrations[0].acknowledgements).toEqual([]);
    expect(await events()).toMatchObject([
      { topic: 'BUSINESS_ENTITY_REGISTRATION_UPDATED', data: { business_entity_id: entity, registration_id: registration } },
    ]);
  });

  it('keys of organisations may not use them', async () => {
    const owner = await buildOwner();
    const denied = await gateway.graphql(owner.entities, 'mutation { removeAcknowledgement(input: { id: 1 }) { acknowledgementId } }');
    expect(codeOf(denied)).toBe('FORBIDDEN');
    expect(codeOf(await gateway.graphql(ADMIN_TOKEN, '{ businessEntity(businessEntityId: 1) { legalName } }'))).toBe('FORBIDDEN');
  });
});
