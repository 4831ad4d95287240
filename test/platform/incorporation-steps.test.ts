// The hosted incorporation form step by step: saved on the way, opened again, asked for again; over real HTTP.
import { expect, it } from 'vitest';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCaller, type Caller, recordEvents } from '../support/registrations.ts';

const gateway = useGateway();
const HOUR = 3_600_000;

const company = {
  'companyNames.0': 'Acme',
  businessDescription: 'Sells kettles',
  'fiscalYearEnd.month': '12',
  'fiscalYearEnd.day': '31',
};
const physical = {
  'physicalAddress.addressLine1': '1 Main Street',
  'physicalAddress.city': 'Dover',
  'physicalAddress.state': 'DE',
  'physicalAddress.postalCode': '19901',
  'physicalAddress.country': 'US',
};
const people = {
  authorizedShares: '10000',
  'keyPersons.0.fullName': 'Ada Lovelace',
  'keyPersons.0.email': 'ada@example.com',
  'keyPersons.0.roles': ['DIRECTOR', 'SHAREHOLDER'],
  'keyPersons.0.shares': '9000',
};

async function begin(entry: object = { state: 'DE', corporationType: 'CCorp' }, country = 'US') {
  const caller = await buildCaller(gateway);
  const response = await caller.post('/incorporation-requests', {
    companyId: '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
    country,
    corporationTypeInfo: { [country]: entry },
  });
  const { pathname, search } = new URL(response.body.data.signedFormUrl);
  return { caller, id: response.body.data.id as string, path: pathname + search };
}

/** Posts a step as a browser does, without following where it leads. */
async function leave(path: string, step: string, fields: Record<string, string | string[]>, action = 'next') {
  const body = new URLSearchParams({ step, action });
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
  const response = await fetch(gateway.origin + path, { method: 'POST', body, redirect: 'manual' });
  return { status: response.status, to: response.headers.get('location'), text: await response.text() };
}
const show = (path: string): Promise<GatewayResponse> => gateway.send('GET', path);
const headingOf = ({ text }: { text: string }): string | undefined => /<h2>(Step \d of 4: [^<]+)<\/h2>/.exec(text)?.[1];
const stateOf = async (caller: Caller, id: string) =>
  (await gateway.graphql(caller.key, `{ incorporationRequest(id: "${id}") { status answers linkRequestedAt etag } }`)).body.data
    .incorporationRequest;

it('each step is saved when it is left, and the same link continues where the person stopped', async () => {
  const { caller, id, path } = await begin();
  expect(headingOf(await show(path))).toBe('Step 1 of 4: Company');
  const first = await leave(path, 'company', company);
  expect([first.status, first.to]).toEqual([303, `${path}&step=addresses`]);
  expect(headingOf(await show(path))).toBe('Step 2 of 4: Addresses');
  expect((await show(`${path}&step=company`)).text).toContain('value="Acme"');
  expect((await leave(path, 'addresses', physical)).to).toBe(`${path}&step=people`);
  expect((await leave(path, 'people', people)).to).toBe(`${path}&step=review`);
  const review = await show(path);
  expect(headingOf(review)).toBe('Step 4 of 4: Review and submit');
  for (const text of ['Acme', '31 December', 'Ada Lovelace · ada@example.com · Director, Shareholder · 9000 shares', 'United States'])
    expect(review.text).toContain(text);
  expect(await stateOf(caller, id)).toMatchObject({ status: 'NOT_SUBMITTED', answers: null });
  const done = await leave(path, 'review', {}, 'submit');
  expect([done.status, done.to]).toEqual([303, path]);
  expect((await show(path)).text).toContain('Your form was received');
  const { status, answers } = await stateOf(caller, id);
  expect([status, answers.physicalAddress.city, answers.keyPersons[0].shares]).toEqual(['IN_PROGRESS', 'Dover', '9000']);
});

it('what is wrong is saved too, and shown next to its box, then and later; a later step can be done before', async () => {
  const { path } = await begin();
  const wrong = await leave(path, 'company', { ...company, website: 'kettles' });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toMatch(/id="website-error">Website must /);
  expect(wrong.text).toContain('value="kettles"');
  expect((await leave(path, 'addresses', physical)).status).toBe(303);
  // The step with the error is the one to continue with.
  const again = await show(path);
  expect([headingOf(again), again.text.includes('id="website-error"')]).toEqual(['Step 1 of 4: Company', true]);
  expect(again.text).toContain('needs to be corrected');
  const refused = await leave(path, 'review', {}, 'submit');
  expect(refused.status).toBe(400);
  // The list of errors leads to the steps that have their boxes.
  expect(refused.text).toContain('&amp;step=company#website"');
  expect(refused.text).toContain('&amp;step=people#keyPersons"');
});

it('a step can be left for later or for the one before, whatever is in it, and an emptied answer is taken away', async () => {
  const { path } = await begin();
  const later = await leave(path, 'company', { 'companyNames.0': 'Acme', website: 'https://acme.example' }, 'later');
  expect([later.status, later.text.includes('Your answers are saved.')]).toEqual([200, true]);
  expect((await leave(path, 'addresses', { 'physicalAddress.city': 'Dover' }, 'back')).to).toBe(`${path}&step=company`);
  expect((await show(`${path}&step=addresses`)).text).toContain('value="Dover"');
  await leave(path, 'company', { ...company, website: '' });
  expect((await show(`${path}&step=company`)).text).not.toContain('acme.example');
  // The return key in a box presses the first button.
  expect((await show(path)).text.match(/<button[^>]*>/)?.[0]).toContain('value="next"');
  // The steps are buttons of the form: a link to another step would lose what is typed.
  expect((await show(path)).text).toContain('<button form="answers" name="action" value="go.people" formnovalidate>');
  expect((await leave(path, 'company', { ...company, 'companyNames.0': 'Other' }, 'go.people')).to).toBe(`${path}&step=people`);
  expect((await show(`${path}&step=company`)).text).toContain('value="Other"');
  const added = await leave(path, 'people', people, 'add-person');
  expect([added.status, added.text.includes('Person 2')]).toEqual([200, true]);
});

it('a step in which nothing was answered is not called wrong, however it was left; one that is to be saved is', async () => {
  const { path } = await begin();
  const preselected = { 'fiscalYearEnd.month': '12', 'fiscalYearEnd.day': '31' };
  await leave(path, 'company', { 'companyNames.0': '', website: '', ...preselected }, 'later');
  await leave(path, 'addresses', { 'physicalAddress.city': '', 'physicalAddress.country': 'US' }, 'go.people');
  await leave(path, 'people', { 'keyPersons.0.fullName': '' }, 'back');
  for (const address of [path, ...['company', 'addresses', 'people', 'review'].map((step) => `${path}&step=${step}`)]) {
    const { text } = await show(address);
    for (const reported of ['role="alert"', 'aria-invalid="true"', 'needs correction'])
      expect(text, `${address} ${reported}`).not.toContain(reported);
  }
  expect(headingOf(await show(path))).toBe('Step 1 of 4: Company');
  const empty = await leave(path, 'company', preselected);
  expect([empty.status, empty.text.includes('2 answers are still missing')]).toEqual([400, true]);
});

it('a state is chosen from those of the country, written where it has none, and listed again for another country', async () => {
  const { path } = await begin();
  expect((await show(`${path}&step=addresses`)).text).toContain('<option value="DE">Delaware</option>');
  const german = { ...physical, 'physicalAddress.country': 'DE' };
  const listed = await leave(path, 'addresses', german, 'states.physicalAddress');
  expect(listed.status).toBe(200);
  expect(listed.text).toContain('<option value="BY">Bayern</option>');
  expect(listed.text).not.toMatch(/role="alert"|>Delaware</);
  const wrong = await leave(path, 'addresses', german);
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('id="physicalAddress-state-error">State or province is not one of Germany; choose one from the list.');
  expect(wrong.text).toContain('<option value="BY">Bayern</option>');
  const french = await leave(path, 'addresses', { ...german, 'physicalAddress.country': 'FR' }, 'states.physicalAddress');
  expect(french.text).toMatch(/<optgroup label="Auvergne-Rhône-Alpes">(?:<option[^>]*>[^<]*<\/option>)*<option value="69">Rhône</);
  const aruban = { ...physical, 'physicalAddress.country': 'AW', 'physicalAddress.state': 'Oranjestad' };
  expect((await leave(path, 'addresses', aruban, 'states.physicalAddress')).text).toContain(
    'name="physicalAddress.state" value="Oranjestad"',
  );
  expect((await leave(path, 'addresses', aruban)).status).toBe(303);
});

it('an address is found by a part of it, and fills the boxes', async () => {
  const { path } = await begin();
  const text = '10 Downing Street, Lond';
  const found = await leave(path, 'addresses', { 'find.physicalAddress': text, 'physicalAddress.country': 'US' }, 'find.physicalAddress');
  expect(found.status).toBe(200);
  const at = [...found.text.matchAll(/value="take\.physicalAddress\.(\d)"[^>]*>([^<]+)</g)].find(([, , name]) =>
    /London, England/.test(name!),
  );
  expect(at, found.text).toBeDefined();
  const taken = await leave(path, 'addresses', { 'find.physicalAddress': text }, `take.physicalAddress.${at![1]}`);
  expect([taken.status, taken.to]).toEqual([303, `${path}&step=addresses#physicalAddress`]);
  const filled = (await show(`${path}&step=addresses`)).text;
  expect(filled).toMatch(/name="physicalAddress.addressLine1" value="10 Downing Street"/);
  expect(filled).toMatch(/name="physicalAddress.city" value="London"/);
  expect(filled).toMatch(/<option value="GB" selected>/);
  const nothing = await leave(path, 'addresses', { 'find.physicalAddress': 'qqqqzzzz' }, 'find.physicalAddress');
  expect(nothing.text).toContain('No place was found');
  for (const action of ['take.physicalAddress.9', 'take.website.0', 'find.nothing'])
    expect((await leave(path, 'addresses', { 'find.physicalAddress': text }, action)).status).toBe(200);
});

it('a step takes no answers of another, no unknown step, and nothing by an older link', async () => {
  const { caller, id, path } = await begin();
  for (const [step, fields] of [
    ['company', { website: 'https://acme.example', authorizedShares: '5' }],
    ['company', { colour: 'red' }],
    ['review', { proofOfAddressFileId: 'file_1' }],
    ['nowhere', company],
  ] as const)
    expect((await leave(path, step, fields)).status, step).toBe(400);
  expect((await show(`${path}&step=nowhere`)).status).toBe(400);
  // The page of a rejection leads back to the form.
  expect((await leave(path, 'company', { colour: 'red' })).text).toContain(`href="${path.replaceAll('&', '&amp;')}"`);
  expect((await show(path)).text).not.toContain('acme.example');
  await gateway.graphql(caller.key, `mutation { reissueIncorporationLink(input: { id: "${id}" }) { incorporationRequest { id } } }`);
  expect((await leave(path, 'company', company)).status).toBe(404);
});

it('what was saved opens again by a newer link', async () => {
  const { caller, id, path } = await begin();
  await leave(path, 'company', company);
  const reissued = await gateway.graphql(
    caller.key,
    `mutation { reissueIncorporationLink(input: { id: "${id}" }) { incorporationRequest { signedFormUrl } errors { message } } }`,
  );
  const { pathname, search } = new URL(reissued.body.data.reissueIncorporationLink.incorporationRequest.signedFormUrl);
  expect(headingOf(await show(pathname + search))).toBe('Step 2 of 4: Addresses');
});

it('who has an expired link asks for a new one; the organisation is notified once, and the person gets no link', async () => {
  const { caller, id, path } = await begin();
  const events = await recordEvents(gateway, caller.key);
  const ask = `${path.replace(/[?&]step=.*/, '')}&ask=1`;
  expect((await gateway.send('POST', ask)).status).toBe(409);
  gateway.clock.advance(24 * HOUR + 1_000);
  const late = await show(path);
  expect(late.status).toBe(410);
  expect(/action="([^"]+)"/.exec(late.text)?.[1]?.replaceAll('&amp;', '&')).toBe(ask);
  const [one, two] = await Promise.all([gateway.send('POST', ask), gateway.send('POST', ask)]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.text).toContain('New link requested');
  expect(one.text).not.toContain('key=');
  const again = await show(path);
  expect([again.text.includes('has been asked for a new link'), again.text.includes('<form')]).toEqual([true, false]);
  const data = { incorporation_request_id: id, corporation_id: null };
  expect(await events()).toMatchObject([{ topic: 'INCORPORATION_REQUEST_LINK_REQUESTED', data }]);
  expect((await stateOf(caller, id)).linkRequestedAt).not.toBeNull();
  expect((await gateway.send('POST', ask.replace('key=', 'key=1'))).status).toBe(404);
  await gateway.graphql(caller.key, `mutation { reissueIncorporationLink(input: { id: "${id}" }) { incorporationRequest { id } } }`);
  expect((await gateway.send('POST', ask)).status).toBe(404);
  expect((await stateOf(caller, id)).linkRequestedAt).toBeNull();
});

const markOf = ({ text }: { text: string }): string => /name="mark" value="([0-9a-f]+)"/.exec(text)![1]!;

it('what another window has saved since is not replaced unseen; what was typed is shown next to it and can be saved then', async () => {
  const { path } = await begin();
  const step = `${path}&step=company`;
  const [first, second] = [markOf(await show(step)), markOf(await show(step))];
  expect((await leave(path, 'company', { ...company, mark: first })).status).toBe(303);
  // The same answers again, as a double click sends them, replace nothing.
  expect((await leave(path, 'company', { ...company, mark: first })).status).toBe(303);
  const refused = await leave(path, 'company', { ...company, 'companyNames.0': 'Other', mark: second });
  expect([refused.status, refused.text.includes('Saved in another window')]).toEqual([409, true]);
  expect(refused.text).toMatch(/<dt>[^<]+<\/dt><dd>Acme<\/dd>/);
  expect(refused.text).toContain('value="Other"');
  expect((await show(step)).text).toContain('value="Acme"');
  expect((await leave(path, 'company', { ...company, 'companyNames.0': 'Other', mark: markOf(refused) })).status).toBe(303);
  expect((await show(step)).text).toContain('value="Other"');
});

it('answers that another window has saved since the last page was opened are looked at before they are submitted', async () => {
  const { caller, id, path } = await begin();
  for (const [step, fields] of Object.entries({ company, addresses: physical, people })) await leave(path, step, fields);
  const mark = markOf(await show(path));
  await leave(path, 'company', { ...company, 'companyNames.0': 'Other' });
  const refused = await leave(path, 'review', { mark }, 'submit');
  expect([refused.status, refused.text.includes('check them again')]).toEqual([409, true]);
  expect((await stateOf(caller, id)).status).toBe('NOT_SUBMITTED');
  // Going to another step hands nothing in.
  expect((await leave(path, 'review', { mark }, 'go.people')).status).toBe(303);
  expect((await leave(path, 'review', { mark: markOf(refused) }, 'submit')).status).toBe(303);
  expect((await stateOf(caller, id)).status).toBe('IN_PROGRESS');
});
