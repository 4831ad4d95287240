// Below the answer: the REST call that runs the current operation, with its curl.
import { useGraphiQL } from '@graphiql/react';
import { useState } from 'react';
import { copyText } from './copy.ts';
import type { OperationMap } from './map.ts';

const COPIED_FOR_MS = 1600;

export function RestTwin({ map }: { map: OperationMap }) {
  const operations = useGraphiQL((state) => state.operations);
  const operationName = useGraphiQL((state) => state.operationName);
  const [copied, setCopied] = useState(false);
  const name = operations?.length === 1 ? operations[0]?.name?.value : operationName;
  const twin = map.operations.find(({ id }) => id === name);
  if (!twin) return null;
  const copy = async () => {
    setCopied(await copyText(twin.curl));
    setTimeout(() => setCopied(false), COPIED_FOR_MS);
  };
  return (
    <section className="rest-twin" aria-label="The same operation as REST">
      <p>
        <span>As REST</span>
        <code>
          <b data-method={twin.method}>{twin.method}</b> {twin.path}
        </code>
        <a href={twin.docs}>Docs</a>
        <button type="button" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy curl'}
        </button>
      </p>
      <details>
        <summary>Show curl</summary>
        <textarea readOnly aria-label="curl command" rows={twin.curl.split('\n').length} value={twin.curl} />
      </details>
    </section>
  );
}
