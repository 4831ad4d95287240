// Which category a kind of document belongs to.

const CATEGORIES: Readonly<Record<string, string>> = {
  CertificateOfIncorporation: 'FORMATION_DOCUMENT',
  ArticlesOfIncorporation: 'FORMATION_DOCUMENT',
  ArticlesOfOrganization: 'FORMATION_DOCUMENT',
  OperatingAgreement: 'CONTRACT_DOCUMENT',
  Bylaws: 'FORMATION_DOCUMENT',
  MemorandumOfAssociation: 'FORMATION_DOCUMENT',
  PartnershipAgreement: 'CONTRACT_DOCUMENT',
  CertificateOfGoodStanding: 'TAX_AND_COMPLIANCE_DOCUMENT',
  EINLetter: 'TAX_AND_COMPLIANCE_DOCUMENT',
  SalesTaxPermit: 'TAX_AND_COMPLIANCE_DOCUMENT',
  VATCertificate: 'TAX_AND_COMPLIANCE_DOCUMENT',
  GSTCertificate: 'TAX_AND_COMPLIANCE_DOCUMENT',
  PANCard: 'TAX_AND_COMPLIANCE_DOCUMENT',
  TANLetter: 'TAX_AND_COMPLIANCE_DOCUMENT',
  BusinessLicense: 'LICENSE_DOCUMENT',
  AnnualReport: 'FINANCIAL_DOCUMENT',
};

/** The category of a kind of document. */
export const categoryOf = (subType: string): string => CATEGORIES[subType] ?? 'OTHER_DOCUMENT';
