// The middle of the playground: the operation, what the name at the cursor is, and the variables and headers that are sent with it.
import { useRef, useState } from 'preact/hooks';
import { Choices } from './choices.tsx';
import { Editor, headersLanguage, operationLanguage, variablesLanguage } from './editor.tsx';
import { referenceOf } from './here.ts';
import { PANEL, TabList } from './tabs.tsx';
import type { Workbench } from './workbench.ts';

const INPUTS = ['Variables', 'Headers'] as const;

export function OperationPane({ bench, nonce }: { bench: Workbench; nonce: string }) {
  return (
    <section class="operation" aria-label="Operation">
      <TabList bench={bench} />
      {/* Each tab has its own editors, so that undoing never brings back the text of another. */}
      <OperationPanel key={bench.tab.id} bench={bench} nonce={nonce} />
    </section>
  );
}

function OperationPanel({ bench, nonce }: { bench: Workbench; nonce: string }) {
  const [input, setInput] = useState<(typeof INPUTS)[number]>('Variables');
  const [goTo, setGoTo] = useState<{ offset: number } | undefined>();
  const schema = useRef(bench.schema);
  schema.current = bench.schema;
  const openReference = (field: string | undefined, _type: string | undefined, parent: string | undefined): void => {
    if (!schema.current || !field || !parent) return;
    window.open(referenceOf(schema.current, parent.replaceAll(/[[\]!]/g, ''), field), '_blank', 'noopener');
  };
  const inputs = {
    Variables: { text: bench.tab.variables, language: variablesLanguage, onText: bench.setVariables },
    Headers: { text: bench.tab.headers, language: headersLanguage, onText: bench.setHeaders },
  };
  return (
    <div class="operation-panel" role="tabpanel" id={PANEL} aria-labelledby={`tab-${bench.tab.id}`}>
      <div class="bar">
        <button type="button" class="run" title="Ctrl+Enter or ⌘+Enter" onClick={bench.run}>
          {bench.isRunning ? 'Stop' : 'Run'}
        </button>
        {bench.operations.length > 1 ? <OperationChoice bench={bench} goTo={(offset) => setGoTo({ offset })} /> : null}
        <span class="space" />
        <button type="button" onClick={bench.format}>
          Format
        </button>
        <button type="button" onClick={bench.share}>
          Share
        </button>
      </div>
      <p class="note" role="status">
        {bench.note}
      </p>
      <div class="document">
        <Editor
          label="Operation"
          nonce={nonce}
          text={bench.tab.document}
          opened={bench.opened}
          schema={bench.schema}
          language={() => operationLanguage(openReference)}
          onText={bench.setDocument}
          onOffset={bench.setOffset}
          onRun={bench.run}
          goTo={goTo}
        />
      </div>
      <Here bench={bench} />
      <Choices
        label="Sent with the operation"
        options={INPUTS}
        chosen={input}
        choose={setInput}
        mark={(one) => (one === 'Headers' && bench.tab.headers.trim() ? <span class="live" role="img" aria-label="has headers" /> : null)}
      />
      <div class="variables">
        <Editor key={input} label={input} nonce={nonce} opened={bench.opened} onRun={bench.run} {...inputs[input]} />
      </div>
    </div>
  );
}

/** Several operations in one document: the one at the cursor runs. */
function OperationChoice({ bench, goTo }: { bench: Workbench; goTo: (offset: number) => void }) {
  const choose = (name: string): void => {
    const chosen = bench.operations.find((operation) => operation.name?.value === name);
    if (chosen) goTo(chosen.loc!.start);
  };
  return (
    <select aria-label="Operation to run" value={bench.operation?.name?.value} onChange={(event) => choose(event.currentTarget.value)}>
      {bench.operations.map(({ name }) => (
        <option key={name?.value}>{name?.value}</option>
      ))}
    </select>
  );
}

function Here({ bench: { here } }: { bench: Workbench }) {
  if (!here) return <p class="here">Put the cursor on a name to see what it is.</p>;
  return (
    <p class="here">
      <code>{here.label}</code> <a href={here.reference}>Reference</a> <span>{here.description}</span>
    </p>
  );
}
