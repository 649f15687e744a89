import { useState } from 'react';

/** Unsaved input. */
interface Draft<T> {
  readonly text: T;
  /** The revision of the result when the input began. */
  readonly base: string;
}

const key = 'assay.drafts';

/** Unsaved input by result and edited part; kept for the tab, so that a reload does not lose it. */
const drafts = new Map<string, Draft<unknown>>(readKept());

function readKept(): [string, Draft<unknown>][] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]');
  } catch {
    return [];
  }
}

function keepAll(): void {
  try {
    sessionStorage.setItem(key, JSON.stringify([...drafts]));
  } catch {
    // Without storage, input survives until the page is loaded again.
  }
}

/** Identifies the edited result, and its part by name. */
export interface DraftPlace {
  readonly run: string;
  readonly index: number;
  readonly part: string;
}

/**
 * Unsaved input, and the revision of the result when it began; it survives navigation to another result and back.
 * `restart` begins again with the current result; `forget` discards it after saving or cancelling.
 */
export function useDraft<T>(place: DraftPlace, first: () => T, revision: string) {
  const name = nameOf(place);
  const begin = (): Draft<T> => ({ text: first(), base: revision });
  // Only what this very hook has put there for the same thing.
  const [draft, setDraft] = useState(() => (drafts.get(name) as Draft<T> | undefined) ?? begin());
  const keep = (next: Draft<T>) => {
    drafts.set(name, next);
    keepAll();
    setDraft(next);
  };
  return {
    draft: draft.text,
    base: draft.base,
    change: (text: T) => keep({ ...draft, text }),
    restart: () => keep(begin()),
    forget: () => {
      drafts.delete(name);
      keepAll();
    },
  };
}

/** After an own edit of a result, moves other input about it to the new revision. */
export function rebaseDrafts({ run, index }: DraftPlace, from: string, to: string): void {
  const beginning = nameOf({ run, index, part: '' });
  for (const [name, draft] of drafts) {
    if (name.startsWith(beginning) && draft.base === from) drafts.set(name, { ...draft, base: to });
  }
  keepAll();
}

/** Whether there is unsaved input. */
export function hasDraft(place: DraftPlace): boolean {
  return drafts.has(nameOf(place));
}

function nameOf({ run, index, part }: DraftPlace): string {
  return `${run} ${index} ${part}`;
}
