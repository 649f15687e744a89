import { useState } from 'react';

/** Something that is being typed. */
interface Draft<T> {
  readonly text: T;
  /** The revision of the result that it began with. */
  readonly base: string;
}

/** What was typed and neither saved nor cancelled, by the result and what of it is edited. */
const drafts = new Map<string, Draft<unknown>>();

/** What is edited: the result, and a name for the part of it. */
export interface DraftPlace {
  readonly run: string;
  readonly index: number;
  readonly part: string;
}

/**
 * Something that is being typed, and the revision of the result that it began with; going to another result and back
 * does not lose it. `restart` begins again with the result as it is now; `forget` when it is saved or cancelled.
 */
export function useDraft<T>(place: DraftPlace, first: () => T, revision: string) {
  const name = nameOf(place);
  const begin = (): Draft<T> => ({ text: first(), base: revision });
  // Only what this very hook has put there for the same thing.
  const [draft, setDraft] = useState(() => (drafts.get(name) as Draft<T> | undefined) ?? begin());
  const keep = (next: Draft<T>) => {
    drafts.set(name, next);
    setDraft(next);
  };
  return {
    draft: draft.text,
    base: draft.base,
    change: (text: T) => keep({ ...draft, text }),
    restart: () => keep(begin()),
    forget: () => void drafts.delete(name),
  };
}

/** After an own edit of a result: what else is typed about it goes on from there. */
export function rebaseDrafts({ run, index }: DraftPlace, from: string, to: string): void {
  const beginning = nameOf({ run, index, part: '' });
  for (const [name, draft] of drafts) {
    if (name.startsWith(beginning) && draft.base === from) drafts.set(name, { ...draft, base: to });
  }
}

function nameOf({ run, index, part }: DraftPlace): string {
  return `${run} ${index} ${part}`;
}
