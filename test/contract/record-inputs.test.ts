// The inputs of platform records have the fields that the records declare as writable, and nothing else but what is listed here with its reason.
import { isNonNullType } from 'graphql';
import { expect, it } from 'vitest';
import { AccessKey } from '../../src/access/tables.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { Company } from '../../src/integrations/companies/company.ts';
import {
  Acknowledgement,
  BusinessEntity,
  BusinessEntityRegistration,
  GovernmentIdentifier,
} from '../../src/platform/business-entities/business-entity.ts';
import { Corporation } from '../../src/platform/corporations/corporation.ts';
import { IncorporationRequest } from '../../src/platform/incorporation/request.ts';
import { Product } from '../../src/platform/products/product.ts';
import { Registration } from '../../src/platform/registrations/registration.ts';
import { isNeeded, type RecordClass, writableProps } from '../../src/records/metadata.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { Webhook } from '../../src/webhooks/webhook.ts';

const schema = buildGatewaySchema(resolvers, orphanTypes);

const fieldsOf = (input: string) => {
  const type = schema.getType(input);
  if (!type || !('getFields' in type)) throw new Error(`${input} is no input`);
  // Members by which a mutation takes its arguments in one input belong to the mutation.
  return Object.values(type.getFields()).filter(({ extensions }) => !('graphqlOnly' in extensions));
};

/** Inputs with the fields that are no property: another name of a stored value, or a value that is not stored as it is given. */
const inputs: [input: string, record: RecordClass, more: string[]][] = [
  ['CreateCorporationInput', Corporation, []],
  ['CreateProductInput', Product, ['customsJurisdictionDetails']],
  ['CreateRegistrationInput', Registration, []],
  ['CreateIncorporationRequestInput', IncorporationRequest, ['corporationTypeInfo']],
  ['BusinessEntityInput', BusinessEntity, ['businessEntityId', 'organisationName']],
  ['EntityRegistrationInput', BusinessEntityRegistration, ['registrationStatus']],
  ['AcknowledgementInput', Acknowledgement, []],
  ['GovernmentIdentifierInput', GovernmentIdentifier, ['fileId']],
  ['CreateWebhookInput', Webhook, ['secret', 'apiVersion']],
  ['IssueAccessKeyInput', AccessKey, []],
  ['CreateCompanyInput', Company, []],
];

it.each(inputs)('%s has the writable properties of its record, and needs those without a fallback', (input, record, more) => {
  const writable = writableProps(record);
  const fields = fieldsOf(input);
  expect(fields.map(({ name }) => name).sort()).toEqual([...writable.map(({ name }) => name), ...more].sort());
  for (const prop of writable) {
    const field = fields.find(({ name }) => name === prop.name)!;
    const isAsked = isNonNullType(field.type) && !('defaultValue' in field && field.defaultValue !== undefined);
    expect([prop.name, isAsked]).toEqual([prop.name, isNeeded(prop)]);
  }
});
