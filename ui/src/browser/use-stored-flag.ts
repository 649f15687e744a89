import { useState } from 'react';
import { readStored, store } from './stored-text.js';

/** A boolean that is kept in this browser under a name. */
export function useStoredFlag(name: string, fallback: boolean): [boolean, (next: boolean) => void] {
  const [isOn, setOn] = useState(() => {
    const kept = readStored(name);
    return kept === undefined ? fallback : kept === 'true';
  });
  const keep = (next: boolean) => {
    setOn(next);
    store(name, String(next));
  };
  return [isOn, keep];
}
