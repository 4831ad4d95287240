// The operations that are open: a row of tabs, each named by its operation, as the ARIA pattern of tabs has it.
import { useEffect, useRef } from 'preact/hooks';
import type { Workbench } from './workbench.ts';

/** The element that the tabs show an operation in. */
export const PANEL = 'operation';

/** The name of an operation from its text, which may be half typed: its own, or that of its first field. */
export function titleOf(text: string): string {
  const code = text.replaceAll(/#.*/g, '');
  const [, name] = /\b(?:query|mutation|subscription)\s+(\w+)/.exec(code) ?? /\{\s*(\w+)/.exec(code) ?? [];
  return name ?? 'New operation';
}

export function TabList({ bench: { tabs, tab, select, close, add } }: { bench: Workbench }) {
  const list = useRef<HTMLDivElement>(null);
  const chosen = (): HTMLElement | null | undefined => list.current?.querySelector<HTMLElement>('[aria-selected=true]');
  const index = tabs.indexOf(tab);
  const title = titleOf(tab.document);
  useEffect(() => chosen()?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [tab.id, title]);
  const focusChosen = (): void => void requestAnimationFrame(() => chosen()?.focus());
  const show = (next: number): void => {
    select(tabs.at(next % tabs.length)!.id);
    focusChosen();
  };
  const moves: Record<string, () => void> = {
    ArrowRight: () => show(index + 1),
    ArrowLeft: () => show(index - 1),
    Home: () => show(0),
    End: () => show(-1),
    Delete: () => {
      close(tab.id);
      focusChosen();
    },
  };
  const byKey = (event: KeyboardEvent): void => {
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label="Open operations" ref={list} onKeyDown={byKey}>
        {tabs.map((one) => (
          <button
            type="button"
            role="tab"
            key={one.id}
            id={`tab-${one.id}`}
            aria-selected={one === tab}
            aria-controls={PANEL}
            tabIndex={one === tab ? 0 : -1}
            title={titleOf(one.document)}
            onClick={() => select(one.id)}
          >
            {titleOf(one.document)}
          </button>
        ))}
      </div>
      {tabs.length > 1 ? (
        <button type="button" aria-label={`Close ${title}`} title="Close (Delete on its tab)" onClick={() => close(tab.id)}>
          ×
        </button>
      ) : null}
      <button type="button" aria-label="New operation" title="New operation" onClick={add}>
        +
      </button>
    </div>
  );
}
