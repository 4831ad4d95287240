// Every page but the playground: copy buttons, colours in programs, the search box, the live status.
import './style.css';
import './filter.ts';
import './follow.ts';
import './suggest.ts';
import { copyText } from './copy.ts';

// The pages next to the text: all in sight where there is room, behind their heading where there is not.
const aside = document.querySelector<HTMLDetailsElement>('.aside details');
const isNarrow = matchMedia('(max-width: 56rem)');
const fold = (): void => {
  if (aside) aside.open = !isNarrow.matches;
};
isNarrow.addEventListener('change', fold);
fold();

if (document.querySelector('pre > code[class]')) void import('./colour.ts');

const CHECK_EVERY_MS = 15_000;

async function copy(button: HTMLButtonElement): Promise<void> {
  const copied = await copyText(button.dataset.copy ?? '');
  const announce = document.getElementById('announce');
  if (announce) announce.textContent = copied ? 'Copied' : 'Copying is not possible here';
  button.textContent = copied ? 'Copied' : 'Failed';
  setTimeout(() => {
    button.textContent = 'Copy';
    if (announce) announce.textContent = '';
  }, 1600);
}

async function check(status: HTMLElement): Promise<void> {
  const text = status.querySelector('.text');
  let state = 'down';
  let words = 'Not reachable';
  try {
    const response = await fetch('/healthz', { cache: 'no-store', headers: { accept: 'application/json' } });
    // An unread body keeps its connection busy.
    await response.arrayBuffer();
    state = response.ok ? 'up' : 'down';
    words = response.ok ? 'Service and database are up' : `Health check returned status ${response.status}`;
  } catch {
    // The words above say it already: the request never arrived.
  }
  status.dataset.state = state;
  // A status region speaks on every change of its text, so unchanged text stays untouched.
  if (text && text.textContent !== words) text.textContent = words;
}

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[data-copy]');
  if (button) void copy(button);
});

// As on the pages of GitHub and Stripe: the key / leads to the search.
document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  if (
    event.key !== '/' ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target.matches('input, textarea, select') ||
    target.isContentEditable
  )
    return;
  event.preventDefault();
  const find = document.querySelector<HTMLInputElement>('#find');
  find?.focus();
  find?.select();
});

const status = document.getElementById('status');
if (status) {
  void check(status);
  setInterval(() => document.visibilityState === 'visible' && void check(status), CHECK_EVERY_MS);
}
