import { useState } from 'react';

/** As what it is, or as its text. */
export type Look = 'read' | 'raw';

const kept = new Map<string, Look>();

/** How the reader wants to see a part of the page; stays so for the next results. */
export function useLook(part: string): readonly [Look, (look: Look) => void] {
  const [look, setLook] = useState<Look>(() => kept.get(part) ?? 'read');
  const choose = (next: Look) => {
    kept.set(part, next);
    setLook(next);
  };
  return [look, choose];
}
