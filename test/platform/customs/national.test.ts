// National tariffs: files in the layouts of their publishers, versions by day, browsing and searching, and the codes of products.
import { beforeAll, describe, expect, it } from 'vitest';
import { importTariff, type TariffImport } from '../../../src/platform/customs/national/import.ts';
import { NationalCodes } from '../../../src/platform/customs/national/national-codes.ts';
import { useGateway } from '../../support/gateway.ts';
import { buildCaller, buildCorporation, type Caller } from '../../support/registrations.ts';

const gateway = useGateway();
let caller: Caller;
beforeAll(async () => {
  caller = await buildCaller(gateway);
});

const US = `\uFEFF"HTS Number","Indent","Description","Unit of Quantity","General Rate of Duty","Special Rate of Duty","Column 2 Rate of Duty","Quota Quantity","Additional Duties"
"8471","0","Automatic data processing machines and units thereof:","","","","","",""
"8471.30.01","1","Portable automatic data processing machines, weighing not more than 10 kg:","","Free","","35%","",""
"8471.30.01.00","2","Other","[""No.""]","","","","",""
"","1","Other automatic data processing machines:","","","","","",""
"8471.41.01","2","Comprising in the same housing <i>at least</i> a central processing unit:","","Free","","35%","",""
"8471.41.01.10","3","With color cathode-ray tube","[""No.""]","","","","",""
"8471.41.01.50","3","Other","[""No.""]","","","","",""
"9801.00.10","0","Products of the United States when returned","","Free","","","",""
`;
const US_JSON = JSON.stringify(
  [
    { htsno: '', indent: '0', description: 'Machines:', superior: 'true', units: [] },
    { htsno: '8471.30.01', indent: '1', description: 'Portable "laptop"\u0000 machines {new}', superior: null, units: ['No.'] },
    { htsno: '8471.30.01.10', indent: '2', description: 'Tablets', superior: null, units: ['No.'] },
  ],
  null,
  2,
);
const CN = `"Order","Level","Code","Parent","Code","Parent","Description","This item includes"
"1","1","XVI","","010084000090","","SECTION XVI - MACHINERY",""
"2","2","84","XVI","840000000080","010084000090","CHAPTER 84 - NUCLEAR REACTORS, BOILERS",""
"3","3","8471","84","847100000080","840000000080","Automatic data-processing machines",""
"4","4","8471 30","8471","847130000080","847100000080","- Portable machines",""
"5","5","8471 30 00","8471 30","847130000010","847130000080","- - Portable data-processing machines of a weight of <= 10 kg",""
`;
/** As EU Vocabularies publishes it: a scheme, groups without a notation, labels in several languages, resources as `rdf:Description` or by their type. */
const CN_RDF = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Combined Nomenclature -->
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
<rdf:Description rdf:about="http://data.europa.eu/xsp/cn2026/cn2026">
  <rdf:type rdf:resource="http://www.w3.org/2004/02/skos/core#ConceptScheme"/>
  <skos:notation>CN 2026</skos:notation>
</rdf:Description>
<rdf:Description rdf:about="http://data.europa.eu/xsp/cn2026/010084000090">
  <rdf:type rdf:resource="http://www.w3.org/2004/02/skos/core#Concept"/>
  <skos:notation>XVI</skos:notation>
  <skos:altLabel xml:lang="en">SECTION XVI - MACHINERY</skos:altLabel>
</rdf:Description>
<skos:Concept rdf:about="http://data.europa.eu/xsp/cn2026/847100000080">
  <skos:notation>8471</skos:notation>
  <skos:altLabel xml:lang="en">Automatic data-processing machines</skos:altLabel>
  <skos:narrower><skos:Concept rdf:about="http://data.europa.eu/xsp/cn2026/847141000010"><skos:altLabel xml:lang="en">- Other</skos:altLabel></skos:Concept></skos:narrower>
</skos:Concept>
<rdf:Description rdf:about="http://data.europa.eu/xsp/cn2026/847130000010">
  <skos:altLabel xml:lang="de">- - Tragbare Maschinen</skos:altLabel>
  <skos:altLabel xml:lang="en">- - Portable machines of a weight of &lt;= 10&#160;kg</skos:altLabel>
  <skos:prefLabel xml:lang="en">8471 30 00 - - Portable machines</skos:prefLabel>
  <skos:notation>8471 30 00</skos:notation>
  <rdf:type rdf:resource="http://www.w3.org/2004/02/skos/core#Concept"/>
</rdf:Description>
<skos:Concept rdf:about="http://data.europa.eu/xsp/cn2026/847141000080">
  <skos:notation>8471 41 00</skos:notation>
  <skos:prefLabel xml:lang="en">8471 41 00 - - <![CDATA[Comprising a central processing unit]]></skos:prefLabel>
</skos:Concept>
</rdf:RDF>
`;
const GB = `SID,Commodity code,Product line suffix,Description,Start date,End date,Indentation,End line,Class,ItemIDPlusPLS,Hierarchy
1,0100000000,80,LIVE ANIMALS,1971-12-31,,0,0,chapter,0100000000_80,""
2,0101210000,10,Horses,2012-01-01,,1,0,heading,0101210000_10,""
3,0101210000,80,Pure-bred breeding animals,2012-01-01,,2,1,commodity,0101210000_80,""
4,0102291000,80,Of a weight not exceeding 80 kg,2012-01-01,,3,0,subheading,0102291000_80,""
5,0102291010,80,Heifers,2012-01-01,,4,1,commodity,0102291010_80,""
6,0102291020,80,No longer there,2012-01-01,2020-12-31,4,1,commodity,0102291020_80,""
`;

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 37) yield bytes.subarray(at, at + 37);
}
const load = (country: string, text: string, version: Partial<TariffImport> = {}) =>
  importTariff(
    gateway.services.database,
    { country, validFrom: '2026-01-01', validTo: null, source: 'file.csv', open: () => pieces(text), ...version },
    gateway.clock.now(),
  );

interface Listed {
  nodes: { code: string; parent: string; level: number; description: string }[];
  tariff: { country: string; validFrom: string; validTo: string | null; source: string; codes: number } | null;
}
const list = async (args: string): Promise<Listed> => {
  const query = `{ customsCodes(${args}) { nodes { code description level parent } tariff { country validFrom validTo source codes } } }`;
  const response = await gateway.graphql(caller.key, query);
  expect(response.body.errors, response.text).toBeUndefined();
  return response.body.data.customsCodes;
};
const codes = async (args: string): Promise<string[]> => (await list(args)).nodes.map(({ code }) => code);

describe('published files', () => {
  it('the CSV and JSON of the United States, the Combined Nomenclature and the tariff of the United Kingdom are read', async () => {
    expect(await load('US', US)).toEqual({ codes: 6, repeated: 0 });
    expect((await list('country: "US", parent: "847130"')).nodes).toEqual([
      {
        code: '84713001',
        parent: '847130',
        level: 8,
        description: 'Portable automatic data processing machines, weighing not more than 10 kg',
      },
    ]);
    expect(await codes('country: "us", parent: "84714101"')).toEqual(['8471410110', '8471410150']);
    expect((await list('country: "US", parent: "847141"')).nodes[0]!.description).toContain('housing at least a central');
    expect(await codes('country: "US", parent: "980100"')).toEqual(['98010010']);

    expect(await load('CA', US_JSON)).toEqual({ codes: 2, repeated: 0 });
    expect((await list('country: "CA", search: "8471"')).nodes.map(({ description }) => description)).toEqual([
      'Portable "laptop" machines {new}',
      'Tablets',
    ]);

    expect(await load('EU', CN)).toEqual({ codes: 1, repeated: 0 });
    expect((await list('country: "FR", parent: "847130"')).nodes[0]).toMatchObject({
      code: '84713000',
      description: 'Portable data-processing machines of a weight of <= 10 kg',
    });

    expect(await load('EU', CN_RDF, { validTo: '2026-12-31', source: 'cn.rdf' })).toEqual({ codes: 2, repeated: 0 });
    expect(await list('country: "FR", search: "8471"')).toMatchObject({
      nodes: [
        { code: '84713000', parent: '847130', description: 'Portable machines of a weight of <= 10 kg' },
        { code: '84714100', parent: '847141', description: 'Comprising a central processing unit' },
      ],
      tariff: { country: 'EU', validFrom: '2026-01-01', validTo: '2026-12-31', source: 'cn.rdf' },
    });

    expect(await load('GB', GB)).toEqual({ codes: 3, repeated: 0 });
    expect(await codes('country: "GB", search: "01"')).toEqual(['0101210000', '01022910', '0102291010']);
    expect(await codes('country: "GB", parent: "01022910"')).toEqual(['0102291010']);
  });

  it.each([
    ['an invalid code', US.replace('8471.41.01.10', '8471.4X.01.10'), 'line 7: "8471.4X.01.10" is not a code of 2 to 13 digits'],
    ['a row that is cut', US.slice(0, US.indexOf('"With color')), 'line 7: the row has 3 cells, the header has 9'],
    ['a quote that is not closed', `${US}"9802`, 'line 10: a quote is misplaced or not closed'],
    ['a code without a description', US.replace('With color cathode-ray tube', ''), 'line 7: 8471.41.01.10 has no description'],
    ['other columns', 'sku,name\n1,Shoe\n', 'line 1: the columns are not those of a published tariff'],
    ['no long codes', US.split('\n').slice(0, 2).join('\n'), 'line 1: the file has no codes longer than six digits'],
    ['nothing', '', 'line 1: the file has no codes longer than six digits'],
    ['JSON that ends early', US_JSON.slice(0, -3), 'line 26: the file ends before its array does'],
    ['JSON with a broken object', US_JSON.replace('"htsno": "8471.30.01",', '"htsno": 8471.30.01,'), 'line 9: the object is not JSON'],
    ['XML that ends early', CN_RDF.slice(0, CN_RDF.indexOf('<skos:narrower>')), 'line 16: in skos:Concept: unclosed tag: skos:Concept'],
    [
      'XML with a tag closed in the wrong place',
      CN_RDF.replace('</skos:notation>', '</notation>'),
      'line 6: in rdf:Description: unexpected close tag.',
    ],
    ['XML that is no RDF', '<Claset>\n</Claset>', 'line 1: in Claset: not the element rdf:RDF'],
    ['XML in another encoding', CN_RDF.replace('UTF-8', 'ISO-8859-1'), 'line 1: the encoding is ISO-8859-1'],
    ['a concept with an invalid code', CN_RDF.replace('8471 41 00<', '8471 4? 00<'), 'line 25: "8471 4? 00" is not a code'],
    [
      'a concept without a label in English',
      CN_RDF.replace('prefLabel xml:lang="en">8471 41', 'prefLabel xml:lang="fr">8471 41'),
      'line 25: 8471 41 00 has no description',
    ],
    [
      'an entity',
      CN_RDF.replace('<!-- Combined', '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<!-- Combined').replace(
        '- Other',
        '&b;',
      ),
      'line 2: a document type is not accepted',
    ],
    ['an entity that is not declared', CN_RDF.replace('- Other', '&b;'), 'line 16: in skos:altLabel: undefined entity'],
    [
      'a tag that does not end',
      CN_RDF.replace('about="http', `about="${'x'.repeat(200_000)}`),
      'line 4: in rdf:RDF: more than 100000 characters without a tag',
    ],
    [
      'elements without end',
      CN_RDF.replace('<skos:narrower>', '<skos:narrower>'.repeat(40)),
      'line 16: in skos:narrower: more than 32 elements within each other',
    ],
    [
      'a label without end',
      CN_RDF.replace('- Other', '<![CDATA[x]]>'.repeat(100_001)),
      'line 16: in skos:altLabel: a text of more than 100000 characters',
    ],
    ['JSON of numbers', '[\n1]', 'line 2: "1" is found where an object should begin'],
  ])('a file with %s changes nothing and is rejected by its line', async (_, text, message) => {
    await load('MX', US, { source: 'good.csv' });
    await expect(load('MX', text)).rejects.toThrow(message);
    expect((await list('country: "MX"')).tariff).toMatchObject({ source: 'good.csv', codes: 6 });
    expect(await codes('country: "MX", parent: "84714101"')).toEqual(['8471410110', '8471410150']);
  });

  it('a repeated code keeps its first description; more than one chunk is stored', async () => {
    const rows = Array.from({ length: 2_500 }, (_, at) => `"8471.30.${String(at % 2_400).padStart(4, '0')}","1","Kind ${at}"`);
    expect(await load('SG', `HTS Number,Indent,Description\n${rows.join('\n')}\n`)).toEqual({ codes: 2_400, repeated: 100 });
    expect((await list('country: "SG", search: "8471300007"')).nodes[0]!.description).toBe('Kind 7');
  });
});

describe('versions', () => {
  it('the version with the latest first day holds, until its last day', async () => {
    const version = (code: string) => `HTS Number,Indent,Description\n${code},0,Something\n`;
    await load('AU', version('0101.21.00'), { validFrom: '2024-01-01', validTo: '2024-12-31' });
    await load('AU', version('0101.21.10'), { validFrom: '2026-01-01', source: 'second.csv' });
    await load('AU', version('0101.21.90'), { validFrom: '2099-01-01' });
    expect(await list('country: "AU", parent: "010121"')).toMatchObject({
      nodes: [{ code: '01012110' }],
      tariff: { country: 'AU', validFrom: '2026-01-01', validTo: null, source: 'second.csv', codes: 1 },
    });
    expect(await codes('country: "AU", parent: "010121", validOn: "2024-06-01"')).toEqual(['01012100']);
    expect(await list('country: "AU", parent: "010121", validOn: "2025-06-01"')).toEqual({ nodes: [], tariff: null });
    expect(await codes('country: "AU", parent: "010121", validOn: "2099-01-01"')).toEqual(['01012190']);
  });

  it('a version with the same first day is replaced whole', async () => {
    await load('NZ', US);
    await load('NZ', US_JSON);
    expect(await codes('country: "NZ", search: "8471"')).toEqual(['84713001', '8471300110']);
  });

  it('a member state with a tariff of its own has that one', async () => {
    await load('EU', CN);
    await load('IE', US_JSON);
    expect((await list('country: "IE"')).tariff?.country).toBe('IE');
    expect((await list('country: "DE"')).tariff?.country).toBe('EU');
  });
});

describe('reading', () => {
  it('above six digits the codes are those of the Harmonized System; a search stays within its parent', async () => {
    await load('CH', US);
    expect(await codes('country: "CH", parent: "8471"')).toEqual(await codes('parent: "8471"'));
    expect((await codes('country: "CH", search: "laptop"'))[0]).toBe('84713001');
    expect((await codes('country: "CH", search: "automatic data processing"')).sort()).toEqual(['84713001', '84714101']);
    expect(await codes('country: "CH", search: "automatic data processing", parent: "847141"')).toEqual(['84714101']);
    expect(await codes('country: "CH", search: "automatic data processing", parent: "XI"')).toEqual([]);
    expect(await codes('country: "CH", search: "automatic data processing", first: 1')).toHaveLength(1);
    expect(await codes('country: "CH", search: "8471.30"')).toEqual(['84713001', '8471300100']);
    expect(await codes('country: "CH", search: "84", parent: "847141"')).toEqual(['84714101', '8471410110', '8471410150']);
    expect(await codes('country: "CH", search: "84", parent: "XVI", first: 2')).toEqual(['84713001', '8471300100']);
    expect(await codes('country: "CH", search: "84", parent: "XI"')).toEqual([]);
    expect(await codes('country: "CH", search: "99"')).toEqual([]);
    expect(await codes('country: "CH", parent: "8471300100"')).toEqual([]);
  });

  it('REST has the same codes; a country without a tariff has none, one that does not exist is rejected by name', async () => {
    await load('KR', US);
    const rest = await caller.get('/customs-codes?country=KR&parent=84714101');
    expect(rest.body.data.customs_codes).toEqual((await list('country: "KR", parent: "84714101"')).nodes);
    expect(await list('country: "AQ", parent: "847130"')).toEqual({ nodes: [], tariff: null });
    const refused = async (query: string) => (await caller.get(`/customs-codes?${query}`)).body.error;
    expect((await refused('country=D1')).details[0].field).toBe('country');
    expect((await refused('country=QQ')).details[0].field).toBe('country');
    expect((await refused('country=KR&valid_on=2026-13-01')).details[0].field).toBe('valid_on');
    expect(await refused('country=KR&parent=84713099')).toMatchObject({ code: 'CUSTOMS_CODE_NOT_FOUND' });
  });
});

describe('codes of products', () => {
  const setter = async () => {
    const made = await caller.post('/products', { corporation_id: await buildCorporation(caller), name: 'Laptop' });
    return async (country: string, customsCode: string): Promise<string[]> => {
      const query = `mutation { setCustomsCode(input: { id: "${made.body.data.id}", country: "${country}", customsCode: "${customsCode}" }) { warnings } }`;
      const response = await gateway.graphql(caller.key, query);
      expect(response.body.errors, response.text).toBeUndefined();
      return response.body.data.setCustomsCode.warnings;
    };
  };

  it('a code outside the version that holds today is accepted with a warning', async () => {
    await load('US', US);
    await load('EU', CN);
    gateway.clock.advance(6_000);
    const set = await setter();
    expect(await set('US', '8471.30.0100')).toEqual([]);
    expect(await set('US', '9801.00.10')).toEqual([]);
    expect(await set('US', '8471309999')).toEqual(['8471309999 is not a code of the tariff of US of 2026-01-01']);
    expect(await set('US', '847130')).toEqual([]);
    expect(await set('IT', '8471300099')).toEqual([]);
    expect(await set('IT', '84713099')).toEqual(['84713099 is not a code of the tariff of EU of 2026-01-01']);
    expect(await set('BR', '84719999')).toEqual(['847199 is not a six-digit code of the loaded Harmonized System list']);
    await load('US', US_JSON, { validFrom: '2026-01-02' });
    gateway.clock.advance(6_000);
    expect(await set('US', '8471.30.0110')).toEqual([]);
    expect(await set('US', '8471.30.0100')).toEqual(['8471300100 is not a code of the tariff of US of 2026-01-02']);
  });

  it('a code is known on its own, by longer ones, and as the continuation of one that is not divided', () => {
    const tariff = new NationalCodes('X', ['01012100', '01022910', '0102291010', '0102291030']);
    expect(['01012100', '0101210090', '010121', '01022910', '0102291030'].every((code) => tariff.knows(code))).toBe(true);
    expect(['01012200', '0102291020', '0102291000', '0102291090', '00', '99999999'].some((code) => tariff.knows(code))).toBe(false);
  });
});
