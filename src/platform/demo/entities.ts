// Demo data of business entities: one in the United States and one in India, each with registrations, numbers and documents.
import type { Services } from '../../access/context.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import type { DemoOrganisation } from '../../demo/demo.ts';
import { MAX_FILE_BYTES, type StoredUpload, storedUpload } from '../../files/stored-file.ts';
import type { Given } from '../../records/fields.ts';
import type { Acknowledgement, BusinessEntity } from '../business-entities/business-entity.ts';
import { type GivenIdentifier, insertIdentifier } from '../business-entities/identifier-writes.ts';
import { type GivenRegistration, insertAcknowledgement, insertEntity, insertEntityRegistration } from '../business-entities/writes.ts';
import { adoptUpload } from '../files/resolver.ts';

interface DemoRegistration {
  registration: GivenRegistration;
  document: Given<Acknowledgement> & { fileName: string; says: string };
  identifier: GivenIdentifier;
}

interface DemoEntity {
  entity: Pick<BusinessEntity, 'legalName' | 'country' | 'state' | 'corporationType'>;
  registrations: DemoRegistration[];
}

const inForce = { status: 'VALID', registrationStatus: 'ACTIVE' } as const;

const entities: DemoEntity[] = [
  {
    entity: { legalName: 'Blue Harbor Trading, Inc.', country: 'US', state: 'DE', corporationType: 'C_CORP' },
    registrations: [
      {
        registration: {
          purpose: 'CORPORATE_REGISTRY',
          displayName: 'Delaware corporate registry',
          description: 'Incorporation with the Delaware Division of Corporations.',
          jurisdiction: 'DE',
          effectiveStartDate: '2021-03-15',
          ...inForce,
        },
        document: {
          documentSubType: 'CertificateOfIncorporation',
          compliancePurpose: 'CORPORATE_REGISTRY',
          dateOfIssuance: '2021-03-15',
          effectiveStartDate: '2021-03-15',
          data: { fileNumber: '5551234' },
          fileName: 'certificate-of-incorporation.pdf',
          says: 'Certificate of Incorporation',
        },
        identifier: { key: 'US_STATE_FILE_NUMBER', value: '5551234', jurisdiction: 'DE', isFunctionCritical: true },
      },
      {
        registration: {
          purpose: 'TAXATION',
          displayName: 'Federal tax',
          description: 'Employer Identification Number assigned by the Internal Revenue Service.',
          effectiveStartDate: '2021-03-29',
          internalIdentifier: 'US_FEDERAL_EIN',
          isFunctionCritical: true,
          ...inForce,
        },
        document: {
          documentSubType: 'EINLetter',
          complianceTag: 'CP575',
          compliancePurpose: 'TAXATION',
          dateOfIssuance: '2021-03-29',
          fileName: 'ein-letter.pdf',
          says: 'EIN assignment letter',
        },
        identifier: { key: 'US_EIN', value: '91-1144442' },
      },
    ],
  },
  {
    entity: { legalName: 'Banyan Software Private Limited', country: 'IN', state: 'KA', corporationType: 'PRIVATE_LIMITED_COMPANY' },
    registrations: [
      {
        registration: {
          purpose: 'CORPORATE_REGISTRY',
          displayName: 'Registrar of Companies, Bengaluru',
          description: 'Incorporation with the Ministry of Corporate Affairs.',
          jurisdiction: 'KA',
          effectiveStartDate: '2020-07-01',
          ...inForce,
        },
        document: {
          documentSubType: 'CertificateOfIncorporation',
          compliancePurpose: 'CORPORATE_REGISTRY',
          dateOfIssuance: '2020-07-01',
          effectiveStartDate: '2020-07-01',
          data: { cin: 'U72200KA2020PTC123456' },
          fileName: 'certificate-of-incorporation.pdf',
          says: 'Certificate of Incorporation',
        },
        identifier: { key: 'IN_CIN', value: 'U72200KA2020PTC123456', jurisdiction: 'KA', isFunctionCritical: true },
      },
      {
        registration: {
          purpose: 'INCOME_TAX',
          displayName: 'Income tax',
          description: 'Permanent Account Number assigned by the Income Tax Department.',
          effectiveStartDate: '2020-07-10',
          isFunctionCritical: true,
          ...inForce,
        },
        document: {
          documentSubType: 'PANCard',
          compliancePurpose: 'INCOME_TAX',
          dateOfIssuance: '2020-07-10',
          fileName: 'pan-card.pdf',
          says: 'Permanent Account Number card',
        },
        identifier: { key: 'IN_PAN', value: 'ACUPA7085R' },
      },
      {
        registration: {
          purpose: 'INDIRECT_TAX',
          displayName: 'Goods and services tax',
          description: 'GST registration.',
          jurisdiction: 'KA',
          effectiveStartDate: '2020-08-01',
          ...inForce,
        },
        document: {
          documentSubType: 'GSTCertificate',
          compliancePurpose: 'INDIRECT_TAX',
          dateOfIssuance: '2020-08-01',
          fileName: 'gst-certificate.pdf',
          says: 'GST registration certificate',
        },
        identifier: { key: 'IN_GSTIN', value: '29ACUPA7085R1ZH', jurisdiction: 'KA' },
      },
    ],
  },
];

/** A page of text as PDF 1.4. */
export function demoPdf(text: string): Buffer {
  const drawing = `BT /F1 20 Tf 72 740 Td (${text.replace(/[\\()]/g, '\\$&')}) Tj 0 -32 Td /F1 12 Tf (Demo document, without legal effect.) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

/** Stores the demo entities for an organisation; returns their numbers, which are 1 (United States) and 2 (India) in a new database. */
export async function seedDemoEntities(services: Services, organisation: Pick<DemoOrganisation, 'id'>): Promise<number[]> {
  const numbers: number[] = [];
  for (const { entity, registrations } of entities) {
    const uploads: StoredUpload[] = [];
    for (const { document } of registrations) {
      const content = { bytes: demoPdf(document.says) };
      uploads.push(
        await storedUpload(services, organisation.id, content, { name: document.fileName, maxBytes: MAX_FILE_BYTES, field: 'file' }),
      );
    }
    numbers.push(
      await organisationTransaction(services.database, organisation.id, async (em) => {
        const scope = { em, services, organisationId: organisation.id };
        const facts = await insertEntity(scope, entity);
        for (const [at, { registration, document, identifier }] of registrations.entries()) {
          const upload = uploads[at]!;
          await adoptUpload(em, services, organisation.id, upload, { purpose: 'SUPPORTING_DOCUMENT', used: true });
          const id = insertEntityRegistration(scope, facts, registration);
          const { fileName: _, says: __, ...acknowledgement } = document;
          await insertAcknowledgement(scope, id, { ...acknowledgement, fileId: upload.fileId });
          await insertIdentifier(scope, facts, { ...identifier, fileId: upload.fileId, registrationIds: [id] });
        }
        return facts.businessEntityId;
      }),
    );
  }
  return numbers;
}
