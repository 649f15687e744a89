import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type BulkEdit, useEditResults } from '../../api/actions.js';
import { getRowIndices } from '../../api/client.js';
import { indicesOptions, indicesQuery } from '../../api/row-queries.js';
import { notifyError } from '../../app/notices.js';
import { useShortcut } from '../../app/shortcuts.js';
import { Button } from '../../components/controls/button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { count, counted } from '../../components/figures/figures.js';
import { useFigures, useSelection, useShown } from '../dashboard-state.js';
import { useView } from '../use-view.js';
import { isFolded } from '../view-state.js';
import { AnnotateDialog, ScoreDialog } from './bulk-dialogs.js';
import styles from './selection-bar.module.css';

/** A change that can be taken back. */
interface Done {
  readonly indices: readonly number[];
  /** Identifies the change. */
  readonly at: string;
  readonly text: string;
}

/** The bar at the bottom edge: how many results are selected, what to do with them, and how to take it back. */
export function SelectionBar() {
  const { run, query } = useShown();
  const figures = useFigures();
  const { indices, select, clear } = useSelection();
  const [asked, setAsked] = useState<'annotation' | 'score'>();
  const [done, setDone] = useState<Done>();
  const edit = useEditResults();
  const size = indices.size;
  const notShown = useNotShown();
  const canEdit = size > 0 && run.state !== 'not_started';
  useShortcut('annotate', () => setAsked('annotation'), canEdit);

  // A dialog stays open with its input until the change is saved.
  const apply = async (change: BulkEdit, words: string): Promise<boolean> => {
    if (edit.isPending) return false;
    try {
      const { at, changed } = await edit.mutateAsync({
        run_id: run.run_id,
        indices: [...indices],
        ...change,
      });
      const text = `${words} ${counted(changed.length, 'result')}`;
      setAsked(undefined);
      setDone(changed.length === 0 ? undefined : { indices: changed, at, text });
      return true;
    } catch (error) {
      notifyError(error);
      return false;
    }
  };
  const undo = ({ indices: changed, at }: Done) =>
    edit
      .mutateAsync({ run_id: run.run_id, indices: changed, undo: at })
      .then(() => setDone(undefined), notifyError);
  const selectAll = () =>
    getRowIndices(run.run_id, indicesQuery(query)).then(
      (answer) => select(new Set(answer.indices)),
      notifyError,
    );
  if (size === 0 && done === undefined) return null;
  return (
    <>
      <div role="toolbar" aria-label="Selected results" className={styles.bar}>
        {size > 0 && (
          <>
            <span className={styles.count}>
              <b>{count(size)}</b> selected
              {notShown > 0 && `, ${count(notShown)} not shown`}
            </span>
            {size - notShown < figures.filtered && (
              <Button needsServer look="ghost" onClick={() => void selectAll()}>
                Select all {count(figures.filtered)} that match
              </Button>
            )}
            <Button
              look="ghost"
              disabled={!canEdit || edit.isPending}
              onClick={() => setAsked('annotation')}
            >
              Annotate <Kbd>a</Kbd>
            </Button>
            <Button
              look="ghost"
              icon="pencil"
              disabled={!canEdit || edit.isPending}
              onClick={() => setAsked('score')}
            >
              Set score
            </Button>
          </>
        )}
        {done && (
          <span role="status" className={styles.done}>
            <span className="cut">{done.text}</span>
            <Button needsServer small disabled={edit.isPending} onClick={() => undo(done)}>
              Undo
            </Button>
          </span>
        )}
        <Button
          look="ghost"
          className={styles.clear}
          onClick={() => {
            clear();
            setDone(undefined);
          }}
        >
          Clear <Kbd>esc</Kbd>
        </Button>
      </div>
      <AnnotateDialog
        results={size}
        isOpen={asked === 'annotation'}
        onClose={() => setAsked(undefined)}
        onApply={apply}
      />
      <ScoreDialog
        results={size}
        keys={figures.summary.chips.map(({ key }) => key)}
        isOpen={asked === 'score'}
        onClose={() => setAsked(undefined)}
        onApply={apply}
      />
    </>
  );
}

/** The number of selected results that do not match the filters, or are in folded groups. */
function useNotShown(): number {
  const { run, query } = useShown();
  const figures = useFigures();
  const { indices: selected } = useSelection();
  const [{ folds }] = useView();
  const { groups } = figures.summary;
  const isPart =
    figures.filtered < figures.total ||
    groups?.some(({ key }) => isFolded(folds, key, groups.length)) === true;
  const { data } = useQuery({
    ...indicesOptions(run.run_id, query),
    enabled: isPart && selected.size > 0,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    if (!isPart || data === undefined) return 0;
    const { length = 0 } = groups ?? [];
    const open = data.groups?.filter((_, n) => !isFolded(folds, groups?.[n]?.key ?? null, length));
    const shown = new Set(open?.flat() ?? data.indices);
    return [...selected].filter((index) => !shown.has(index)).length;
  }, [isPart, data, folds, groups, selected]);
}
