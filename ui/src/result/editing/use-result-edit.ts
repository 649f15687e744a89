import { useQueryClient } from '@tanstack/react-query';
import { useEditResult } from '../../api/actions.js';
import { keys } from '../../api/keys.js';
import { isConflict, messageOf, ServerGone } from '../../api/problem.js';
import type { RequestBody } from '../../api/request.js';
import { type DraftPlace, rebaseDrafts, useDraft } from './use-draft.js';

/** A change of a result, as the API takes it. */
export type ResultEdit = RequestBody<'editResult'>['result'];

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
 * a connection, the input stays.
 * `revision` is that of the shown result; `toChange` converts the input to a request.
 */
export function useResultEdit<T>(
  place: DraftPlace & { readonly revision: string },
  first: () => T,
  toChange: (draft: T) => ResultEdit,
  onClose: () => void,
) {
  const cache = useQueryClient();
  const { run, index, revision } = place;
  const { draft, base, change, restart, forget } = useDraft(place, first, revision);
  const edit = useEditResult(run, index);
  const close = () => {
    forget();
    onClose();
  };
  const send = async (result: ResultEdit, from: string) => {
    if (edit.isPending) return;
    try {
      const now = await edit.mutateAsync({ result, revision: from });
      rebaseDrafts(place, from, now.revision);
      close();
    } catch (error) {
      if (isConflict(error)) {
        void cache.invalidateQueries({ queryKey: keys.result(run, index) });
      }
    }
  };
  const conflict: EditConflict | undefined = isConflict(edit.error)
    ? {
        load: () => {
          restart();
          edit.reset();
        },
        overwrite: () => void send(toChange(draft), revision),
        isPending: edit.isPending || revision === base,
      }
    : undefined;
  return {
    draft,
    change,
    close,
    save: () => void send(toChange(draft), base),
    /** Saves another change than the input. */
    saveInstead: (result: ResultEdit) => void send(result, base),
    isPending: edit.isPending,
    fault: edit.error === null || conflict ? undefined : faultText(edit.error),
    conflict,
  };
}

function faultText(error: unknown): string {
  if (!(error instanceof ServerGone)) return messageOf(error);
  return `${error.message} Your text is kept: save it again when the connection is back.`;
}
