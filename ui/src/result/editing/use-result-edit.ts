import { useQueryClient } from '@tanstack/react-query';
import { useEditResult } from '../../api/actions.js';
import { keys } from '../../api/keys.js';
import { isConflict, messageOf, ServerGone } from '../../api/problem.js';
import { type DraftPlace, rebaseDrafts, useDraft } from './use-draft.js';
import { forgetRefused, hasWaiting, type ResultChange, waitWith } from './waiting-edits.js';

/** A conflict: the result was changed elsewhere after an edit began. */
export interface EditConflict {
  /** Discards the input and begins again with the current result. */
  readonly load: () => void;
  /** Saves the input anyway. */
  readonly overwrite: () => void;
  /** The current result has not been read yet. */
  readonly isPending: boolean;
}

/**
 * The edit of a part of a result: its input, and saving it unless the result was changed elsewhere meanwhile. Without
 * a connection, it waits.
 * `revision` is that of the shown result; `toChange` converts the input to a request.
 */
export function useResultEdit<T>(
  place: DraftPlace & { readonly revision: string },
  first: () => T,
  toChange: (draft: T) => ResultChange,
  onClose: () => void,
) {
  const cache = useQueryClient();
  const { run, index, part, revision } = place;
  const { draft, base, isRefused, change, restart, forget } = useDraft(place, first, revision);
  const edit = useEditResult(run, index);
  const close = () => {
    forget();
    forgetRefused(place);
    onClose();
  };
  const send = async (result: ResultChange, from: string, text?: T) => {
    if (edit.isPending) return;
    const wait = () => {
      waitWith({ run, index, part, change: result, text, base: from });
      close();
    };
    if (hasWaiting(place)) return wait();
    try {
      const now = await edit.mutateAsync({ result, revision: from });
      rebaseDrafts(place, from, now.revision);
      close();
    } catch (error) {
      if (error instanceof ServerGone) wait();
      if (isConflict(error)) {
        void cache.invalidateQueries({ queryKey: keys.result(run, index) });
      }
    }
  };
  const isConflicting = isConflict(edit.error) || (isRefused && revision !== base);
  const conflict: EditConflict | undefined = isConflicting
    ? {
        load: () => {
          restart();
          forgetRefused(place);
          edit.reset();
        },
        overwrite: () => void send(toChange(draft), revision, draft),
        isPending: edit.isPending || revision === base,
      }
    : undefined;
  return {
    draft,
    change,
    close,
    save: () => void send(toChange(draft), base, draft),
    /** Saves another change than the input. */
    saveInstead: (result: ResultChange) => void send(result, base),
    isPending: edit.isPending,
    fault: edit.error === null || conflict ? undefined : messageOf(edit.error),
    conflict,
  };
}
