// The key: which header, which key, and whose it is. Kept in sessionStorage, so it ends with the tab.
import { useEffect, useState } from 'preact/hooks';
import { demoKeys, type OperationMap, rememberKey, type StoredKey, storedKey } from '../map.ts';
import { send } from './run.ts';

const HEADERS = ['Authorization', 'x-api-key', 'x-service-key', 'api_key'];
const WHOSE = '{ viewer { organisation { name } key { label expiresAt } roles companies { name } allowance { limit remaining } } }';

interface Viewer {
  readonly organisation: { readonly name: string } | null;
  readonly key: { readonly label: string | null; readonly expiresAt: string | null } | null;
  readonly roles: readonly string[];
  readonly companies: readonly { readonly name: string | null }[];
}

/** Whose key it is, as text: a line, and the rest of it. */
async function whose(key: string): Promise<{ line: string; rest: string; isKnown: boolean }> {
  if (!key) return { line: 'No key: open fields only', rest: '', isKnown: false };
  const response = await send({ document: WHOSE, variables: '' });
  const { data, errors } = JSON.parse(response.text) as { data?: { viewer: Viewer | null }; errors?: { message: string }[] };
  const viewer = data?.viewer;
  if (!viewer) return { line: errors?.[0]?.message ?? 'Unknown key', rest: '', isKnown: false };
  const line = [viewer.organisation?.name ?? 'Operator', viewer.key?.label].filter(Boolean).join(' · ');
  const names = viewer.companies.map(({ name }) => name ?? 'unnamed');
  const companies = names.length > 2 ? `${names.length} companies` : names.join(', ');
  const until = viewer.key?.expiresAt ? `until ${viewer.key.expiresAt.slice(0, 10)}` : '';
  return {
    line,
    rest: [viewer.roles.map((role) => role.toLowerCase()).join(', '), companies, until].filter(Boolean).join(' · '),
    isKnown: true,
  };
}

export function KeyBox({ map, onChange }: { map: OperationMap; onChange: (key: StoredKey) => void }) {
  const [value, setValue] = useState(storedKey);
  const [owner, setOwner] = useState({ line: 'Asking whose key this is', rest: '', isKnown: false });
  const demoKey = demoKeys(map).get(value.header);
  const change = (next: StoredKey): void => {
    rememberKey(next);
    setValue(next);
    onChange(next);
  };
  const changeHeader = (header: string): void => {
    // Each header has a demo key of its own; a key of the reader's stays.
    const isDemo = value.key === '' || value.key === demoKey;
    change({ header, key: (isDemo && demoKeys(map).get(header)) || value.key });
  };
  useEffect(() => {
    let isLatest = true;
    const unknown = { line: 'Whose key this is could not be asked', rest: '', isKnown: false };
    void whose(value.key)
      .catch(() => unknown)
      .then((found) => isLatest && setOwner(found));
    return () => {
      isLatest = false;
    };
  }, [value]);
  return (
    <form class="key-box" aria-label="Key" onSubmit={(event) => event.preventDefault()}>
      <select aria-label="Header that carries the key" value={value.header} onChange={(event) => changeHeader(event.currentTarget.value)}>
        {HEADERS.map((header) => (
          <option key={header} value={header}>
            {header === 'Authorization' ? 'Authorization: Bearer' : header}
          </option>
        ))}
      </select>
      {/* Asked when the field is left: half a key would count as a wrong one. */}
      <input
        aria-label="Key, kept for this tab only"
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="Key, kept for this tab"
        value={value.key}
        onChange={(event) => change({ ...value, key: event.currentTarget.value.trim() })}
      />
      {demoKey && demoKey !== value.key ? (
        <button type="button" onClick={() => change({ ...value, key: demoKey })}>
          Use demo key
        </button>
      ) : null}
      <p class="owner" role="status" data-known={owner.isKnown}>
        <strong>{owner.line}</strong> <span>{owner.rest}</span>
      </p>
    </form>
  );
}
