// A new webhook. Its secret is shown once.
import type { FormEvent } from 'react';
import { issuesByField } from '../../../../../schema/client/errors.ts';
import { wordsOf } from '../shared/format.ts';
import { described, Labelled } from '../shared/parts.tsx';
import { TOPICS } from './filter.ts';
import { CreateWebhookDocument, type EventTopic } from './operations.generated.ts';
import { useAction } from './use-action.ts';

export interface Created {
  readonly id: string;
  readonly secret: string;
}

/** The form; `onCreated` hears of the webhook and of its secret. */
export function CreateWebhook({ onCreated }: { onCreated: (created: Created) => void }) {
  const { run, issues, isRunning } = useAction();
  const byField = issuesByField(issues, ['name', 'url', 'topics']);
  const issuesOf = (field: string) => byField.get(field) ?? [];
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const input = {
      name: String(given.get('name')) || null,
      url: String(given.get('url')),
      topics: given.getAll('topics') as EventTopic[],
    };
    const payload = await run(CreateWebhookDocument, input, (data) => data.createWebhook);
    if (!payload?.webhook) return form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    const made = { id: payload.webhook.id, secret: payload.webhook.secret ?? '' };
    form.reset();
    onCreated(made);
  };
  const nameHint = 'What you call it.';
  const urlHint = 'It is called with POST, over https outside development.';
  const topicsHint = 'Several with Ctrl or Command.';
  return (
    <form className="create" noValidate onSubmit={(event) => void submit(event)}>
      <Labelled label="Name" id="name" hint={nameHint} issues={issuesOf('name')}>
        <input {...described('name', nameHint, issuesOf('name'))} name="name" autoComplete="off" />
      </Labelled>
      <Labelled label="Address" id="url" hint={urlHint} issues={issuesOf('url')}>
        <input
          {...described('url', urlHint, issuesOf('url'))}
          name="url"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
      </Labelled>
      <Labelled label="Topics" id="topics" hint={topicsHint} issues={issuesOf('topics')}>
        <select {...described('topics', topicsHint, issuesOf('topics'))} name="topics" multiple size={5} defaultValue={['ALL']}>
          {TOPICS.map((topic) => (
            <option key={topic} value={topic}>
              {wordsOf(topic)}
            </option>
          ))}
        </select>
      </Labelled>
      {issuesOf('').length > 0 ? (
        <p className="issue" role="alert">
          {issuesOf('')
            .map(({ message }) => message)
            .join(' ')}
        </p>
      ) : null}
      <p className="actions">
        <button type="submit" className="primary" disabled={isRunning}>
          Add the webhook
        </button>
      </p>
    </form>
  );
}
