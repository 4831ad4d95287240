// The playground: GraphiQL with the key box, the operation list and the REST twin of the current operation.
import 'graphiql/setup-workers/vite';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import './style.css';
import './playground.css';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { GraphiQL } from 'graphiql';
import { StrictMode, useMemo, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { correctGraphiQL, keepCorrecting } from './corrections.ts';
import { createFetcher } from './fetcher.ts';
import { KeyBox } from './key-box.tsx';
import { fetchMap, type OperationMap, startWithDemoKey } from './map.ts';
import { OpenFromAddress } from './open.tsx';
import { operationsPlugin, WIDE } from './operations.tsx';
import { RestTwin } from './twin.tsx';

const EMPTY: OperationMap = { surfaces: [], examples: [], operations: [] };
const fetcher = createFetcher();

const dark = matchMedia('(prefers-color-scheme: dark)');

function followScheme(changed: () => void): () => void {
  dark.addEventListener('change', changed);
  return () => dark.removeEventListener('change', changed);
}

function Playground({ map }: { map: OperationMap }) {
  const [first] = map.examples;
  const operations = useMemo(() => operationsPlugin(map), [map]);
  // GraphiQL's own "system" theme asks once: after a switch its editors kept colours that cannot be read on the new background.
  const isDark = useSyncExternalStore(followScheme, () => dark.matches);
  return (
    <GraphiQL
      fetcher={fetcher}
      plugins={[operations, HISTORY_PLUGIN]}
      {...(matchMedia(WIDE).matches ? { visiblePlugin: operations } : {})}
      defaultQuery={first?.document ?? '{ __typename }'}
      shouldPersistHeaders={false}
      forcedTheme={isDark ? 'dark' : 'light'}
      defaultEditorToolsVisibility="variables"
    >
      <GraphiQL.Logo>{null}</GraphiQL.Logo>
      <GraphiQL.Footer>
        <RestTwin map={map} />
      </GraphiQL.Footer>
      <OpenFromAddress map={map} />
    </GraphiQL>
  );
}

const root = document.getElementById('playground');
if (root) {
  // Without the map the playground still works; it only lacks the list.
  const map = await fetchMap().catch(() => EMPTY);
  startWithDemoKey(map);
  keepCorrecting(root, correctGraphiQL);
  createRoot(root).render(
    <StrictMode>
      <KeyBox map={map} />
      <Playground map={map} />
    </StrictMode>,
  );
}
