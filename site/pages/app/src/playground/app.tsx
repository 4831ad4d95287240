// The playground: what to build an operation from on the left, the operation in the middle, what came of it on the right.
import { useState } from 'preact/hooks';
import { type OperationMap, storedKey } from '../map.ts';
import { Choices } from './choices.tsx';
import { KeyBox } from './key-box.tsx';
import { Examples, History, RestOperations } from './lists.tsx';
import { OperationPane } from './operation-pane.tsx';
import { Picker } from './picker.tsx';
import { Messages, ResponseView, RestCounterpart, Snippets } from './results.tsx';
import { ENDPOINT } from './run.ts';
import { PARTS, RESULTS, useWorkbench, type Workbench } from './workbench.ts';

const PANELS = ['Examples', 'Fields', 'REST', 'History'] as const;

export function Playground({ map, nonce }: { map: OperationMap; nonce: string }) {
  const bench = useWorkbench(map);
  const [key, setKey] = useState(storedKey);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('.operation .run')?.focus()}>
        Skip to the operation
      </button>
      <KeyBox map={map} onChange={setKey} />
      <Choices class="parts" label="Part of the page" options={PARTS} chosen={bench.part} choose={bench.setPart} />
      <div class="playground" data-part={bench.part}>
        <BuildPane bench={bench} map={map} />
        <OperationPane bench={bench} nonce={nonce} />
        <ResultPane bench={bench} stored={key} nonce={nonce} />
      </div>
    </>
  );
}

function BuildPane({ bench, map }: { bench: Workbench; map: OperationMap }) {
  const [panel, setPanel] = useState<(typeof PANELS)[number]>('Examples');
  const { schema, tab, offset, opened, open } = bench;
  return (
    <section class="build" aria-label="Build">
      <Choices label="Build from" options={PANELS} chosen={panel} choose={setPanel} />
      <div class="panel">
        {panel === 'Examples' ? <Examples map={map} open={open} /> : null}
        {panel === 'Fields' ? (
          <Picker schema={schema} text={tab.document} offset={offset} opened={opened} onText={bench.setDocument} />
        ) : null}
        {panel === 'REST' ? <RestOperations map={map} open={open} /> : null}
        {panel === 'History' ? <History history={bench.past} open={open} clear={bench.forget} /> : null}
        {bench.missing ? <p class="hint">The schema is missing: {bench.missing}. Operations run without it.</p> : null}
      </div>
    </section>
  );
}

function ResultPane({ bench, stored, nonce }: { bench: Workbench; stored: { header: string; key: string }; nonce: string }) {
  const { result, streams, request, kind } = bench;
  const isLive = streams.all.some(({ end }) => !end);
  const source = { endpoint: `${location.origin}${ENDPOINT}`, header: stored.header, kind, ...request };
  return (
    <section class="result" aria-label="Result">
      <Choices
        label="Kind of result"
        options={RESULTS}
        chosen={result}
        choose={bench.setResult}
        mark={(one) => (one === 'Messages' && isLive ? <span class="live" role="img" aria-label="listening" /> : null)}
      />
      <div class="panel">
        {result === 'Response' ? <ResponseView response={bench.response} isRunning={bench.isRunning} nonce={nonce} /> : null}
        {result === 'Messages' ? <Messages streams={streams} /> : null}
        {result === 'Snippets' ? <Snippets source={source} storedKey={stored.key} nonce={nonce} /> : null}
      </div>
      <RestCounterpart counterpart={bench.counterpart} />
    </section>
  );
}
