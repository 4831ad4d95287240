// The step of the documents: each file is sent when it is chosen, as a form of several parts.
import { useMutation } from '@apollo/client/react';
import { type ChangeEvent, useState } from 'react';
import { type InputIssue, outcomeOf } from '../../../../../schema/client/errors.ts';
import { described, Labelled, reasonOf } from '../shared/parts.tsx';
import { AddDocumentDocument, type CorporationDraftFragment } from './operations.generated.ts';

const sizes = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });

export function DocumentList({ files }: Pick<CorporationDraftFragment, 'files'>) {
  if (!files) return <p className="hint">The documents could not be read.</p>;
  if (files.nodes.length === 0) return <p className="hint">No document yet.</p>;
  return (
    <ul className="documents">
      {files.nodes.map(({ id, name, size }) => (
        <li key={id}>
          {name} <span className="hint">{sizes.format(Math.ceil(size / 1_024))}</span>
        </li>
      ))}
    </ul>
  );
}

/** The documents of a corporation, and a way to add one. */
export function Documents({ draft }: { draft: CorporationDraftFragment }) {
  const [issues, setIssues] = useState<readonly InputIssue[]>([]);
  const [add, { loading }] = useMutation(AddDocumentDocument);
  const send = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const content = target.files?.[0];
    if (!content) return;
    setIssues([]);
    try {
      const { data } = await add({
        variables: { input: { content, name: content.name, corporationId: draft.id, idempotencyKey: crypto.randomUUID?.() } },
      });
      const outcome = outcomeOf(data?.createFile);
      if (!outcome.ok) setIssues(outcome.issues);
    } catch (error) {
      setIssues([{ code: '', message: reasonOf(error as Error), path: [] }]);
    }
    // The same file can be chosen again.
    target.value = '';
  };
  const hint = 'A certificate, articles or a letter of the tax office: PDF, picture, text or table, at most 15 MB.';
  return (
    <>
      <DocumentList files={draft.files} />
      <Labelled label="Add a document" id="document" hint={hint} issues={issues}>
        <input type="file" {...described('document', hint, issues)} disabled={loading} onChange={(event) => void send(event)} />
      </Labelled>
      <p role="status">{loading ? 'Sending …' : ''}</p>
    </>
  );
}
