// What a screen shows is in its address, so that it can be shared, and the Back button works.
import { useCallback, useSyncExternalStore } from 'react';

const CHANGED = 'address';

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('popstate', listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(CHANGED, listener);
  };
};

export type Changes = Readonly<Record<string, string | number | null>>;

/** The parameters of the address, and a function that changes some; null takes one away. */
export function useAddress(): [URLSearchParams, (changes: Changes, how?: 'push' | 'replace') => void] {
  const search = useSyncExternalStore(subscribe, () => location.search);
  const change = useCallback((changes: Changes, how: 'push' | 'replace' = 'push') => {
    const next = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes))
      if (value === null || value === '') next.delete(name);
      else next.set(name, String(value));
    const text = next.toString();
    history[how === 'push' ? 'pushState' : 'replaceState'](null, '', text ? `?${text}` : location.pathname);
    window.dispatchEvent(new Event(CHANGED));
  }, []);
  return [new URLSearchParams(search), change];
}
