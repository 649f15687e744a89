import { useQueryClient } from '@tanstack/react-query';
import { useEditResult } from '../../api/actions.js';
import { keys } from '../../api/keys.js';
import { isConflict, messageOf } from '../../api/problem.js';
import type { Body } from '../../api/request.js';
import { type DraftPlace, rebaseDrafts, useDraft } from './use-draft.js';

type Change = Body<'editResult'>['result'];

/** A result was changed elsewhere after an edit of it began. */
export interface EditConflict {
  /** Takes what is typed away and begins with the result as it is now. */
  readonly load: () => void;
  /** Saves what is typed all the same. */
  readonly overwrite: () => void;
  /** The result as it is now has not been read yet. */
  readonly isPending: boolean;
}

/**
 * The edit of a part of a result: what is typed, and saving it unless the result was changed elsewhere meanwhile.
 * `revision` is that of the result in sight; `toChange` makes what is sent of what is typed.
 */
export function useResultEdit<T>(
  place: DraftPlace & { readonly revision: string },
  first: () => T,
  toChange: (draft: T) => Change,
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
  const send = (result: Change, from: string) => {
    if (edit.isPending) return;
    edit.mutate(
      { result, revision: from },
      {
        onSuccess: (now) => {
          rebaseDrafts(place, from, now.revision);
          close();
        },
        onError: (error) => {
          if (isConflict(error)) {
            void cache.invalidateQueries({ queryKey: keys.result(run, index) });
          }
        },
      },
    );
  };
  const conflict: EditConflict | undefined = isConflict(edit.error)
    ? {
        load: () => {
          restart();
          edit.reset();
        },
        overwrite: () => send(toChange(draft), revision),
        isPending: edit.isPending || revision === base,
      }
    : undefined;
  return {
    draft,
    change,
    close,
    save: (result = toChange(draft)) => send(result, base),
    isPending: edit.isPending,
    fault: edit.error === null || conflict ? undefined : messageOf(edit.error),
    conflict,
  };
}
