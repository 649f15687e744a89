import { useState } from 'react';

/** What was typed and neither saved nor cancelled, by what it is about. */
const drafts = new Map<string, unknown>();

/** Something that is being typed; going to another result and back does not lose it. `forget` when it is saved or cancelled. */
export function useDraft<T>(about: string, first: () => T) {
  // Only what this very hook has put there for the same thing.
  const [draft, setDraft] = useState<T>(() => (drafts.get(about) as T | undefined) ?? first());
  const change = (next: T) => {
    drafts.set(about, next);
    setDraft(next);
  };
  return { draft, change, forget: () => void drafts.delete(about) };
}
