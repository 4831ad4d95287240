// REST documentation: the language of the programs, and examples that run with the key of the tab.
import './site.ts';
import './docs.css';
import { rememberKey, storedKey } from './map.ts';

const LANGUAGE = 'ledger-gateway:language';

function showLanguage(language: string): void {
  for (const program of document.querySelectorAll<HTMLElement>('[data-program]')) program.hidden = program.dataset.program !== language;
  for (const button of document.querySelectorAll<HTMLElement>('[data-language]'))
    button.setAttribute('aria-pressed', String(button.dataset.language === language));
}

document.addEventListener('click', (event) => {
  const language = (event.target as Element).closest<HTMLElement>('[data-language]')?.dataset.language;
  if (!language) return;
  // Programs of other lengths move the page; the button stays under the pointer.
  const button = event.target as HTMLElement;
  const before = button.getBoundingClientRect().top;
  localStorage.setItem(LANGUAGE, language);
  showLanguage(language);
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
});

const remembered = localStorage.getItem(LANGUAGE);
if (remembered && document.querySelector(`[data-program="${CSS.escape(remembered)}"]`)) showLanguage(remembered);

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

async function send(form: HTMLFormElement): Promise<void> {
  const { method = 'GET' } = form.dataset;
  const data = new FormData(form);
  const body = data.get('body');
  const key = form.querySelector<HTMLInputElement>('.key')?.value ?? '';
  const { header, scheme } = form.dataset;
  if (header && key) rememberKey({ header, key });
  const output = form.querySelector('output')!;
  output.textContent = 'Sending …';
  const began = performance.now();
  try {
    const response = await fetch(String(data.get('path')), {
      method,
      headers: {
        accept: 'application/json',
        ...(header && key ? { [header]: scheme ? `${scheme} ${key}` : key } : {}),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === null ? {} : { body: String(body) }),
    });
    const text = await response.text();
    const status = document.createElement('p');
    status.className = 'status-line';
    status.innerHTML = '<b></b> ';
    status.firstElementChild!.textContent = String(response.status);
    status.append(`in ${Math.round(performance.now() - began)} ms`);
    const pre = document.createElement('pre');
    pre.tabIndex = 0;
    pre.textContent = text ? indented(text) : 'without a body';
    output.replaceChildren(status, pre);
  } catch (error) {
    output.textContent = `The request did not arrive: ${String(error)}`;
  }
}

for (const button of document.querySelectorAll<HTMLButtonElement>('.try .button')) button.disabled = false;
document.addEventListener('click', (event) => {
  const form = (event.target as Element).closest('.try .button')?.closest('form');
  if (form) void send(form);
});
// The return key in a field sends too.
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (!form.matches('.try form')) return;
  event.preventDefault();
  void send(form);
});

// The key that the visitor gave in this tab comes before the demo key. The page has a demo key where the gateway shows one.
const own = storedKey();
if (own.key)
  for (const form of document.querySelectorAll<HTMLFormElement>('.try form'))
    if (form.dataset.header === own.header) form.querySelector<HTMLInputElement>('.key')!.value = own.key;
