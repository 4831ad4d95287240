// The key box: which header, which key. Kept in sessionStorage, so it ends with the tab.
import { useState } from 'react';
import { demoKeys, type OperationMap, rememberKey, type StoredKey, storedKey } from './map.ts';

const HEADERS = ['Authorization', 'x-api-key', 'x-service-key', 'api_key'];

export function KeyBox({ map }: { map: OperationMap }) {
  const [value, setValue] = useState(storedKey);
  const demoKey = demoKeys(map).get(value.header);
  const change = (next: StoredKey) => {
    rememberKey(next);
    setValue(next);
  };
  return (
    <form className="key-box" aria-label="Key" onSubmit={(event) => event.preventDefault()}>
      <select
        aria-label="Header that carries the key"
        value={value.header}
        onChange={(event) => change({ ...value, header: event.target.value })}
      >
        {HEADERS.map((header) => (
          <option key={header} value={header}>
            {header === 'Authorization' ? 'Authorization: Bearer' : header}
          </option>
        ))}
      </select>
      <input
        aria-label="Key, kept for this tab only"
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder="Key, kept for this tab"
        value={value.key}
        onChange={(event) => change({ ...value, key: event.target.value.trim() })}
      />
      {demoKey && demoKey !== value.key ? (
        <button type="button" onClick={() => change({ ...value, key: demoKey })}>
          Use demo key
        </button>
      ) : null}
    </form>
  );
}
