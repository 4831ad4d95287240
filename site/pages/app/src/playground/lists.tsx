// The lists next to the editors: examples by task, REST operations by surface, and what was run.
import { useState } from 'preact/hooks';
import type { OperationMap } from '../map.ts';
import type { Draft, Past } from './stored.ts';

/** Opens an operation in the editors. */
export type Open = (operation: Draft) => void;

// A path may break before each slash, not in the middle of a word.
const breakable = (path: string): string => path.replaceAll('/', '\u200b/');
const textOf = (variables: Record<string, unknown>): string =>
  Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '';

export function Examples({ map, open }: { map: OperationMap; open: Open }) {
  const tasks = [...new Set(map.examples.map(({ task }) => task))];
  return (
    <div class="list">
      {tasks.map((task) => (
        <section key={task} aria-label={task}>
          <h2>{task}</h2>
          <ul>
            {map.examples
              .filter((example) => example.task === task)
              .map(({ name, title, note, document, variables }) => (
                <li key={name}>
                  <button type="button" onClick={() => open({ document, variables: textOf(variables) })}>
                    <strong>{title}</strong>
                    {note ? <span>{note}</span> : null}
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

export function RestOperations({ map, open }: { map: OperationMap; open: Open }) {
  const [filter, setFilter] = useState('');
  const words = filter.trim().toLowerCase();
  const groups = map.surfaces
    .map((surface) => ({
      ...surface,
      operations: map.operations.filter(
        (one) =>
          one.surface === surface.id && [one.id, one.summary, one.method, one.path, surface.name].join(' ').toLowerCase().includes(words),
      ),
    }))
    .filter(({ operations }) => operations.length > 0);
  return (
    <div class="list operation-list">
      <input
        type="search"
        aria-label="Filter operations"
        placeholder="Filter"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {groups.map(({ id, name, operations }) => (
        <section key={id} aria-label={name}>
          <h2>{name}</h2>
          <ul>
            {operations.map((operation) => (
              <li key={operation.id}>
                <button type="button" onClick={() => open({ document: operation.document, variables: textOf(operation.variables) })}>
                  <strong>{operation.summary}</strong>
                  <code>
                    <b data-method={operation.method}>{operation.method}</b> {breakable(operation.path)}
                  </code>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 ? <p class="hint">Nothing matches “{filter}”.</p> : null}
    </div>
  );
}

export function History({ history, open, clear }: { history: readonly Past[]; open: Open; clear: () => void }) {
  const [filter, setFilter] = useState('');
  if (history.length === 0) return <p class="hint">What you run is kept here, in this browser only.</p>;
  const wanted = filter.trim().toLowerCase();
  const found = history.filter(({ name, document }) => `${name} ${document}`.toLowerCase().includes(wanted));
  return (
    <div class="list history">
      <input
        type="search"
        aria-label="Search the history"
        placeholder="Search"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <button type="button" class="plain" onClick={clear}>
        Clear
      </button>
      <ul>
        {found.map((past) => (
          <li key={`${past.at} ${past.name}`}>
            <button type="button" onClick={() => open(past)}>
              <strong>{past.name}</strong>
              <span>{[new Date(past.at).toLocaleTimeString(), past.outcome].filter(Boolean).join(' · ')}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p class="hint">Nothing matches “{filter}”.</p> : null}
    </div>
  );
}
