import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditResult } from '../../api/actions.js';
import { keys } from '../../api/keys.js';
import { isConflict, messageOf, ServerGone } from '../../api/problem.js';
import type { RequestBody } from '../../api/request.js';

/** A change of a result, as the API takes it. */
type ResultEdit = RequestBody<'editResult'>['result'];

/** A result to edit; `revision` is that of the shown one. */
export interface EditedResult {
  readonly run: string;
  readonly index: number;
  readonly revision: string;
}

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

const nameOf = ({ run, index }: Omit<EditedResult, 'revision'>, part: string) =>
  `${run} ${index} ${part}`;

/** Whether there is unsaved input. */
export function hasDraft(result: Omit<EditedResult, 'revision'>, part: string): boolean {
  return drafts.has(nameOf(result, part));
}

/** After an own edit of a result, what else was begun about it belongs to the new revision. */
function moveDrafts(result: EditedResult, from: string, to: string): void {
  for (const [name, draft] of drafts) {
    const isIts = name.startsWith(nameOf(result, '')) && draft.base === from;
    if (isIts) drafts.set(name, { ...draft, base: to });
  }
  keepAll();
}

/**
 * The edit of a part of a result: its input, which survives going to another result and back, and saving it unless the
 * result was changed elsewhere meanwhile. Without a connection, the input stays.
 * `toChange` converts the input to a request.
 */
export function useResultEdit<T>(
  result: EditedResult,
  part: string,
  first: () => T,
  toChange: (draft: T) => ResultEdit,
  onClose: () => void,
) {
  const { run, index, revision } = result;
  const cache = useQueryClient();
  const edit = useEditResult(run, index);
  const name = nameOf(result, part);
  const begin = (): Draft<T> => ({ text: first(), base: revision });
  // Only what this very hook has put there for the same thing.
  const [draft, setDraft] = useState(() => (drafts.get(name) as Draft<T> | undefined) ?? begin());
  const keep = (next: Draft<T>) => {
    drafts.set(name, next);
    keepAll();
    setDraft(next);
  };
  const close = () => {
    drafts.delete(name);
    keepAll();
    onClose();
  };
  const save = async (change = toChange(draft.text), from = draft.base) => {
    if (edit.isPending) return;
    try {
      const now = await edit.mutateAsync({ result: change, revision: from });
      moveDrafts(result, from, now.revision);
      close();
    } catch (error) {
      if (isConflict(error)) void cache.invalidateQueries({ queryKey: keys.result(run, index) });
    }
  };
  const hasConflict = isConflict(edit.error);
  return {
    draft: draft.text,
    change: (text: T) => keep({ ...draft, text }),
    close,
    /** Saves the input, or another change. */
    save: (change?: ResultEdit) => void save(change),
    isPending: edit.isPending,
    fault: edit.error === null || hasConflict ? undefined : faultText(edit.error),
    /** The result was changed elsewhere after the edit began. */
    conflict: hasConflict && {
      /** Discards the input and begins again with the current result. */
      load: () => {
        keep(begin());
        edit.reset();
      },
      overwrite: () => void save(undefined, revision),
      /** The current result has not been read yet. */
      isPending: edit.isPending || revision === draft.base,
    },
  };
}

function faultText(error: unknown): string {
  if (!(error instanceof ServerGone)) return messageOf(error);
  return `${error.message} Your text is kept: save it again when the connection is back.`;
}
