import { useState } from 'react';

/** A boolean that is kept in this browser under a name. */
export function useStoredFlag(name: string, fallback: boolean): [boolean, (next: boolean) => void] {
  const key = `assay.${name}`;
  const [isOn, setOn] = useState(() => readFlag(key) ?? fallback);
  const keep = (next: boolean) => {
    setOn(next);
    try {
      localStorage.setItem(key, String(next));
    } catch {
      // Without storage, it applies to this page only.
    }
  };
  return [isOn, keep];
}

function readFlag(key: string): boolean | undefined {
  try {
    const kept = localStorage.getItem(key);
    return kept === null ? undefined : kept === 'true';
  } catch {
    return undefined;
  }
}
