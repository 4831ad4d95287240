// Suggestions below the search box while a reader types: a combobox as the ARIA Authoring Practices describe it.

/** What the search of the gateway finds. */
interface SearchResult {
  title: string;
  kind: string;
  url: string;
}

const MAX_SUGGESTIONS = 8;
/** A pause in typing after which it pays to ask. */
const PAUSE_MS = 120;

const input = document.querySelector<HTMLInputElement>('#find');
if (input) suggestBelow(input);

function suggestBelow(input: HTMLInputElement): void {
  const list = document.createElement('ul');
  list.id = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  input.closest('form')!.append(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);

  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;
  let active = -1;

  const activate = (index: number): void => {
    active = index;
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === active));
    const option = list.children[active];
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const show = (results: readonly SearchResult[]): void => {
    list.replaceChildren(...results.map(optionOf));
    list.hidden = results.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    activate(-1);
  };
  const ask = async (): Promise<void> => {
    asked?.abort();
    asked = new AbortController();
    const query = input.value.trim();
    if (query.length < 2) return show([]);
    try {
      const response = await fetch(`/docs/search?q=${encodeURIComponent(query)}`, {
        headers: { accept: 'application/json' },
        signal: asked.signal,
      });
      const { results } = (await response.json()) as { results: SearchResult[] };
      show(results.slice(0, MAX_SUGGESTIONS));
    } catch {
      // A later key has replaced this request, or the gateway does not respond; the form still searches.
    }
  };

  show([]);
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), PAUSE_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const { length } = list.children;
    // One place more than there are suggestions: the text itself.
    if (event.key === 'ArrowDown') activate(active + 1 < length ? active + 1 : -1);
    else if (event.key === 'ArrowUp') activate(active < 0 ? length - 1 : active - 1);
    else if (event.key === 'Escape') show([]);
    else if (event.key === 'Enter' && active >= 0) list.children[active]!.querySelector('a')!.click();
    else return;
    event.preventDefault();
  });
  input.addEventListener('blur', () => show([]));
  // The box keeps the focus, so that the list is still there when the button goes up.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
}

function optionOf({ title, kind, url }: SearchResult, index: number): HTMLLIElement {
  const option = document.createElement('li');
  option.id = `suggestion-${index}`;
  option.setAttribute('role', 'option');
  const link = document.createElement('a');
  link.href = url;
  link.tabIndex = -1;
  const what = document.createElement('small');
  what.textContent = kind;
  link.append(what, ` ${title}`);
  option.append(link);
  return option;
}
