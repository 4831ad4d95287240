// GraphQL enums of business entities, their registrations and documents.
import { defineEnum } from '../../records/enums.ts';

/** Kinds of registration. */
export const EntityPurpose = defineEnum('EntityPurpose', 'Purpose of a registration of a business entity.', {
  CORPORATE_REGISTRY: 'Company register.',
  FORMATION: 'Formation of the company.',
  TAXATION: 'Taxes in general.',
  INCOME_TAX: 'Income tax.',
  INDIRECT_TAX: 'Sales, value added or goods and services tax.',
  PAYROLL: 'Payroll.',
  SOCIAL_SECURITY: 'Social security.',
  TRADE: 'Import and export.',
  BENEFICIAL_OWNERSHIP: 'Beneficial ownership.',
  BUSINESS_LICENSE: 'Business licence.',
  OTHER: 'Any other purpose.',
});

/** Result of the check of a record. */
export const EntityRecordStatus = defineEnum('EntityRecordStatus', 'Result of the data check of a registration.', {
  PENDING: 'Not checked yet.',
  VALIDATION_IN_PROGRESS: 'Being checked.',
  VALID: 'The data is correct.',
  INVALID: 'The data is wrong.',
});

/** Standing at the authority. */
export const EntityStanding = defineEnum('EntityStanding', 'Status of a registration at its authority.', {
  REGISTRATION_IN_PROGRESS: 'Applied for.',
  ACTIVE: 'In force.',
  INACTIVE: 'Not in use.',
  SUSPENDED: 'Suspended by the authority.',
  EXPIRED: 'Past its last day of effect.',
  DISSOLVED: 'The entity was dissolved.',
  WITHDRAWN: 'Withdrawn.',
});

/** Categories of documents. */
export const DocumentCategory = defineEnum('DocumentCategory', 'Category of a document.', {
  FORMATION_DOCUMENT: 'About the formation.',
  TAX_AND_COMPLIANCE_DOCUMENT: 'About taxes and compliance.',
  FINANCIAL_DOCUMENT: 'About finances.',
  CONTRACT_DOCUMENT: 'A contract.',
  IDENTITY_DOCUMENT: 'Proof of identity.',
  LICENSE_DOCUMENT: 'A licence.',
  OTHER_DOCUMENT: 'Any other document.',
});

/** Kinds of documents. */
export const DocumentSubType = defineEnum('DocumentSubType', 'Kind of a document.', {
  CertificateOfIncorporation: 'Certificate of incorporation.',
  ArticlesOfIncorporation: 'Articles of incorporation.',
  ArticlesOfOrganization: 'Articles of organization.',
  OperatingAgreement: 'Operating agreement.',
  Bylaws: 'Bylaws.',
  MemorandumOfAssociation: 'Memorandum of association.',
  PartnershipAgreement: 'Partnership agreement.',
  CertificateOfGoodStanding: 'Certificate of good standing.',
  EINLetter: 'Letter that assigns an Employer Identification Number.',
  SalesTaxPermit: 'Sales tax permit.',
  VATCertificate: 'Value added tax certificate.',
  GSTCertificate: 'Goods and services tax certificate.',
  PANCard: 'Permanent Account Number card.',
  TANLetter: 'Letter that assigns a TAN.',
  BusinessLicense: 'Business licence.',
  AnnualReport: 'Annual report.',
  Other: 'Another kind, named in `explicitDocumentType`.',
});

/** Whether the check digits of an identifier fit. */
export const IdentifierVerdict = defineEnum('IdentifierVerdict', 'Result of the check of an identifier.', {
  VALID: 'The format is correct, and the check digits if the kind has any.',
  INVALID: 'The format is correct, but the check digits are wrong.',
});
