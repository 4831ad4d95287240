// The scalars of countries, addresses and languages: where they are used, which inputs they take, and that stored values show as they are.
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { Admission } from '../../src/graphql/admission.ts';
import { StandardIntrospection } from '../../src/graphql/standard-introspection.ts';
import { textScalars } from '../../src/records/scalars.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';

const gateway = useGateway();
let key: string;
let schema: GraphQLSchema;
let admission: Admission;

beforeAll(async () => {
  key = await gateway.key(['PLATFORM', 'INTEGRATIONS', 'GEOCODE', 'ENTITIES', 'MANAGE_CONTENT']);
  schema = gateway.services.schema;
  admission = new Admission(schema, true, new StandardIntrospection(schema));
});

type Input = GraphQLArgument | GraphQLInputField;

/** A text scalar among the members of an argument, as `name: { … member: $v }`, with the variables that this needs. */
interface Position {
  input: Input;
  written: string;
  needs: Input[];
}

const isNeeded = ({ type, defaultValue }: Input): boolean => isNonNullType(type) && defaultValue === undefined;

function positions(input: Input, within: readonly GraphQLNamedType[] = []): Position[] {
  const type = getNamedType(input.type);
  if (textScalars.has(type.name)) return [{ input, written: `${input.name}: $v`, needs: [] }];
  if (!isInputObjectType(type) || within.includes(type)) return [];
  const members = Object.values(type.getFields());
  return members.flatMap((member) => {
    const others = members.filter((other) => other !== member && isNeeded(other));
    return positions(member, [...within, type]).map((found) => ({
      input: found.input,
      written: `${input.name}: { ${others.map(({ name }) => `${name}: $${name}`).join(' ')} ${found.written} }`,
      needs: [...others, ...found.needs],
    }));
  });
}

/** One operation for each position of a text scalar, which takes its value from a variable of the type that `typeOf` says. */
const operations = (typeOf: (input: Input) => string): string[] =>
  [schema.getQueryType()!, schema.getMutationType()!].flatMap((root) =>
    Object.values(root.getFields()).flatMap((field) =>
      field.args.flatMap((argument) => {
        const others = field.args.filter((other) => other !== argument && isNeeded(other));
        const selection = isObjectType(getNamedType(field.type)) ? '{ __typename }' : '';
        return positions(argument).map(({ input, written, needs }) => {
          const declared = new Map([...others, ...needs].map(({ name, type }) => [name, `$${name}: ${type}`]));
          const rest = others.map(({ name }) => `${name}: $${name}`).join(' ');
          return `${root.name.toLowerCase()}(${[...declared.values()].join(' ')} $v: ${typeOf(input)}) { ${field.name}(${rest} ${written}) ${selection} }`;
        });
      }),
    ),
  );

const asStrings = ({ type }: Input): string => type.toString().replace(getNamedType(type).name, 'String');

const messages = (operation: string): string[] => admission.errors(parse(operation), { roles: [] } as never).map(({ message }) => message);

const run = (query: string, variables: Record<string, unknown> = {}): Promise<GatewayResponse> => gateway.graphql(key, query, variables);

describe('use', () => {
  /** Fields that are text though their names are those of the scalars, with the reason. */
  const texts: Record<string, string> = {
    'Address.country': 'as the source writes it',
    'AddressInput.country': 'as the source writes it',
    'Contact.email': 'as the source writes it',
    'ContactInput.email': 'as the source writes it',
    'Contact.website': 'as the source writes it',
    'ContactInput.website': 'as the source writes it',
    'IsoContentHealth.countries': 'a number',
    'TaxRate.jurisdiction': 'free text',
    'TaxRateInput.jurisdiction': 'free text',
    'GeocodedComponents.country': 'as the address writes it',
    'BusinessEntityRegistration.jurisdiction': 'a sub-division',
    'EntityRegistrationInput.jurisdiction': 'a sub-division',
    'GovernmentIdentifier.jurisdiction': 'a sub-division',
    'GovernmentIdentifierInput.jurisdiction': 'a sub-division',
    'RegistrationNeed.jurisdiction': 'the id of a jurisdiction',
    'JurisdictionSales.jurisdiction': 'the id of a jurisdiction, or an ISO 3166 code',
    'JurisdictionSalesInput.jurisdiction': 'the id of a jurisdiction, or an ISO 3166 code',
  };
  const isStandard =
    /^(country|countries|\w+Country|jurisdiction|alpha2|\w*[eE]mail|website|url|\w+Url|languages?|ip|\w+Ip|latitude|longitude|currencyId)$/;
  const names =
    /^(CountryCode|EmailAddress|URL|Locale|IP|Latitude|Longitude|CurrencyCode|(CountryCode|EmailAddress|URL|IP|CurrencyCode|Text)Filter)$/;

  /** The inputs of a record's mutations repeat the fields of its own input. */
  const repeated = /^(?:Create|Update|Upsert)?(Address|Contact|TaxRate)(?:Change)?Input\./;

  it('every field and argument with the name of a standard value has its scalar, except where a source writes free text', () => {
    const plain = new Set<string>();
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__') || !(isObjectType(type) || isInputObjectType(type))) continue;
      const isRoot = ['Query', 'Mutation', 'Subscription'].includes(type.name);
      for (const field of Object.values(type.getFields())) {
        const found: [place: string, name: string, type: GraphQLInputType | GraphQLOutputType][] = [];
        if (!isRoot) found.push([`${type.name}.${field.name}`, field.name, field.type]);
        if (isObjectType(type))
          for (const argument of type.getFields()[field.name]!.args)
            found.push([`${type.name}.${field.name}.${argument.name}`, argument.name, argument.type]);
        for (const [place, name, of] of found) {
          const named = getNamedType(of);
          // The conditions of a filter are objects, whose operators take the scalar.
          const isWhole = isObjectType(named) || (isInputObjectType(named) && /Filter$/.test(type.name));
          if (isStandard.test(name) && !isWhole && !names.test(named.name)) plain.add(place.replace(repeated, '$1Input.'));
        }
      }
    }
    expect([...plain].sort()).toEqual(Object.keys(texts).sort());
  });

  it('the scalars show as formats in OpenAPI', async () => {
    const { body } = await gateway.send('GET', '/openapi/platform.json');
    const { properties } = body.components.schemas.Corporation;
    expect(properties.contact_email).toMatchObject({ type: ['string', 'null'], format: 'email' });
    expect(properties.website).toMatchObject({ type: ['string', 'null'], format: 'uri' });
    expect(properties.jurisdiction).toMatchObject({ type: 'string', pattern: '^[A-Z]{2}$' });
  });
});

describe('variables', () => {
  it('a text scalar takes variables of its own type alone, at every position', () => {
    const all = operations(({ type }) => type.toString());
    expect(all.length).toBeGreaterThan(20);
    for (const operation of all) expect(messages(operation), operation).toEqual([]);
    for (const typeOf of [asStrings, (): string => 'Int'])
      for (const operation of operations(typeOf))
        expect(messages(operation).join(), operation).toContain('used in position expecting type');
  });

  it('such operations run, compiled and interpreted', async () => {
    const made = await run(
      `mutation($name: String!, $country: CountryCode!, $site: URL, $mail: EmailAddress) {
        createCorporation(input: { legalName: $name, jurisdiction: $country, website: $site, contactEmail: $mail, address: { addressLine1: "1 Main Street", country: $country } }) {
          corporation { id jurisdiction website contactEmail address { country } }
        }
      }`,
      { name: 'Old Ltd', country: 'GB', site: 'https://old.example/a b', mail: 'jörg@exämple.de' },
    );
    expect(made.body.errors).toBeUndefined();
    expect(made.body.data.createCorporation.corporation).toMatchObject({
      jurisdiction: 'GB',
      website: 'https://old.example/a b',
      contactEmail: 'jörg@exämple.de',
      address: { country: 'GB' },
    });
    const names = await run(
      'query($c: CountryCode!, $l: [Locale!]) { subdivisions(country: $c) { code names(languages: $l) { language name } } }',
      {
        c: 'ch',
        l: ['de', 'fr'],
      },
    );
    expect(names.body.errors).toBeUndefined();
    expect(names.body.data.subdivisions.length).toBeGreaterThan(20);
    const interpreted = await gateway.graphql(
      null,
      'query($c: CountryCode!) { incorporationForm(id: "inc_1", country: $c, key: "k") { country } }',
      {
        c: 'US',
      },
    );
    expect(interpreted.body.errors[0].extensions.code).toBe('INCORPORATION_REQUEST_NOT_FOUND');
  });
});

describe('inputs', () => {
  const create = (values: string): Promise<GatewayResponse> =>
    run(`mutation { createCorporation(input: { legalName: "A Ltd", ${values} }) { corporation { id website } } }`);

  it('the rule of a field names it and the way out, whether the value is a literal or a variable', async () => {
    const issue = { field: 'input.jurisdiction', code: 'INVALID_VALUE', message: expect.stringContaining('UK is reserved') };
    const literal = await create('jurisdiction: "UK", website: "example.com", contactEmail: "nobody"');
    expect(literal.body.errors[0].extensions.details).toEqual([
      issue,
      expect.objectContaining({ field: 'input.contactEmail', code: 'INVALID_FORMAT' }),
      expect.objectContaining({ field: 'input.website', code: 'INVALID_FORMAT' }),
    ]);
    const query = `mutation($c: CountryCode!) { createCorporation(input: { legalName: "A Ltd", jurisdiction: $c }) { corporation { id } } }`;
    const variable = await run(query, { c: 'UK' });
    expect(variable.body.errors[0].extensions.details).toEqual([issue]);
    const number = await run(query, { c: 7 });
    expect(number.body.errors[0].extensions.details).toEqual([
      { field: 'input.jurisdiction', code: 'INVALID_TYPE', message: 'input.jurisdiction must be a string' },
    ]);
    expect((await create('jurisdiction: 7')).status).toBe(400);
  });

  it('the default of a variable passes the rules of its type, as a given value does', async () => {
    const query = `mutation($i: CreateWebhookInput! = { url: " ", topics: [CORPORATIONS_CREATED] }) { createWebhook(input: $i) { webhook { id } } }`;
    const omitted = await run(query);
    const given = await run(query, { i: { url: ' ', topics: ['CORPORATIONS_CREATED'] } });
    expect(given.body.errors[0].extensions.details).toEqual([expect.objectContaining({ field: 'input.url', code: 'REQUIRED' })]);
    expect(omitted.body.errors[0].extensions.details).toEqual(given.body.errors[0].extensions.details);
  });

  it('empty text clears an optional address, as null does', async () => {
    const made = await create('jurisdiction: "GB", website: "https://a.example"');
    const { id } = made.body.data.createCorporation.corporation;
    const cleared = await run(`mutation { updateCorporation(input: { id: "${id}", website: "" }) { corporation { website } } }`);
    expect(cleared.body.data.updateCorporation.corporation.website).toBeNull();
  });
});

describe('stored values', () => {
  it('a value that no rule would take today is shown as it is stored', async () => {
    const made = await run('mutation { createCorporation(input: { legalName: "A Ltd", jurisdiction: "GB" }) { corporation { id } } }');
    const { id } = made.body.data.createCorporation.corporation;
    await gateway.services.database.orm.em
      .getConnection()
      .execute(`update corporation set jurisdiction = 'Britain', website = 'www', contact_email = 'nobody' where id = ?`, [id]);
    const stored = { jurisdiction: 'Britain', website: 'www', contactEmail: 'nobody' };
    const read = await run('query($id: ID!) { corporation(id: $id) { jurisdiction website contactEmail } }', { id });
    expect(read.body).toEqual({ data: { corporation: stored } });
    const listed = await run('{ corporations { nodes { id jurisdiction website contactEmail } } }');
    expect(listed.body.data.corporations.nodes).toContainEqual({ id, ...stored });
    // Not by `send`, which records the response: these values do not fit the OpenAPI document.
    const rest = await fetch(`${gateway.origin}/api/v1/corporations/${id}`, { headers: { authorization: `Bearer ${key}` } });
    expect(((await rest.json()) as { data: unknown }).data).toMatchObject({
      jurisdiction: 'Britain',
      website: 'www',
      contact_email: 'nobody',
    });
  });
});
