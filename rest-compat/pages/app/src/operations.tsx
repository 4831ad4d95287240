// GraphiQL plugin: examples first, then every REST operation as GraphQL, grouped by surface, with a filter.
import { type GraphiQLPlugin, useGraphiQLActions } from '@graphiql/react';
import { useState } from 'react';
import type { OperationMap } from './map.ts';
import { type Openable, useOpen } from './open.tsx';

const TITLE = 'Operations';
/** Windows with room for the list beside the editors. */
export const WIDE = '(min-width: 60rem)';

function Icon() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" aria-hidden="true">
      <path d="M4 6h10M4 12h16M4 18h12" />
      <circle cx="19" cy="6" r="1.6" fill="currentColor" stroke="none" />
    </svg>
  );
}

// A path may break before each slash, not in the middle of a word.
const breakable = (path: string) => path.replaceAll('/', '\u200b/');

function OperationList({ map }: { map: OperationMap }) {
  const [filter, setFilter] = useState('');
  const show = useOpen();
  const { setVisiblePlugin } = useGraphiQLActions();
  const open = (operation: Openable) => {
    show(operation);
    if (!matchMedia(WIDE).matches) setVisiblePlugin(null);
  };
  const matches = (...texts: string[]) => texts.join(' ').toLowerCase().includes(filter.trim().toLowerCase());
  const examples = map.examples.filter(({ name, title }) => matches(name, title));
  const groups = map.surfaces
    .map((surface) => ({
      ...surface,
      operations: map.operations.filter(
        (one) => one.surface === surface.id && matches(one.id, one.summary, one.method, one.path, surface.name),
      ),
    }))
    .filter(({ operations }) => operations.length > 0);
  return (
    <section className="operation-list" aria-label={TITLE}>
      <h2>{TITLE}</h2>
      <input
        type="search"
        aria-label="Filter operations"
        placeholder="Filter"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
      {examples.length > 0 && <h3>Examples</h3>}
      <ul>
        {examples.map((example) => (
          <li key={example.name}>
            <button type="button" onClick={() => open(example)}>
              <strong>{example.title}</strong>
              <span>{map.surfaces.find(({ id }) => id === example.surface)?.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {groups.map(({ id, name, operations }) => (
        <div key={id}>
          <h3>{name}</h3>
          <ul>
            {operations.map((operation) => (
              <li key={operation.id}>
                <button type="button" onClick={() => open(operation)}>
                  <strong>{operation.summary}</strong>
                  <code>
                    <b data-method={operation.method}>{operation.method}</b> {breakable(operation.path)}
                  </code>
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {examples.length + groups.length === 0 && <p>Nothing matches “{filter}”.</p>}
    </section>
  );
}

export function operationsPlugin(map: OperationMap): GraphiQLPlugin {
  return { title: TITLE, icon: Icon, content: () => <OperationList map={map} /> };
}
