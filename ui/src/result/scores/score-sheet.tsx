import { Dialog, DialogDismiss, DialogHeading, useDialogStore } from '@ariakit/react';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { Result } from '../../api/schema.js';
import { useShortcut } from '../../app/shortcuts.js';
import { buttonClass } from '../../components/controls/button.js';
import { count } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { ScoreChip } from '../../components/scores/score-chip.js';
import { useEditor } from '../editing/edit-form.js';
import styles from './score-sheet.module.css';

/** Whether the sheet with the judgement is open. */
export interface SheetState {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** The judgement where there is no room beside the values: a line that opens a sheet. */
export function ScoreSheet({
  result: { scores, annotation },
  sheet: { isOpen, setOpen },
  filter,
  children,
}: {
  result: Pick<Result, 'scores' | 'annotation'>;
  sheet: SheetState;
  /** The field that has the focus first if a key opens the sheet. */
  filter: RefObject<HTMLInputElement | null>;
  children: ReactNode;
}) {
  const [editor, edit] = useEditor();
  const [isByKey, setByKey] = useState(false);
  const store = useDialogStore({ open: isOpen, setOpen });
  useShortcut('search', () => {
    setByKey(true);
    setOpen(true);
  });
  useShortcut('annotate', () => {
    setOpen(true);
    // An editor that is open before the sheet is has text from before, and does not take the focus.
    requestAnimationFrame(() => edit('annotation'));
  });
  // Where there is room again, nothing is over the page.
  useEffect(() => () => setOpen(false), [setOpen]);
  const failing = scores.filter(({ passed }) => passed === false);
  return (
    <>
      <button
        type="button"
        className={styles.strip}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <FailingCount failing={failing.length} all={scores.length} />
        <span className={styles.chips}>
          {failing.map((score, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a key may come twice.
            <ScoreChip key={`${score.key} ${n}`} score={score} />
          ))}
        </span>
        {annotation !== '' && <span className={styles.annotated}>annotated</span>}
        <Icon name="down" small />
      </button>
      <Dialog
        store={store}
        unmountOnHide
        // An editor takes the focus itself.
        autoFocusOnShow={editor === undefined}
        // A tap does not bring up the keyboard of a phone.
        initialFocus={isByKey ? filter : null}
        onClose={() => setByKey(false)}
        // Esc in an editor leaves the editor.
        hideOnEscape={({ target }) => !(target instanceof Element && target.closest('form, input'))}
        backdrop={<div className={styles.backdrop} />}
        className={styles.sheet}
      >
        <header className={styles.head}>
          <DialogHeading>Scores and notes</DialogHeading>
          <DialogDismiss
            aria-label="Close"
            className={buttonClass({ look: 'ghost', small: true }, true)}
          >
            <Icon name="x" />
          </DialogDismiss>
        </header>
        {children}
      </Dialog>
    </>
  );
}

/** `4 of 39` fail, or that none does. */
export function FailingCount({ failing, all }: { failing: number; all: number }) {
  if (all === 0) return <b>No scores</b>;
  return (
    <>
      <StatusIcon standing={failing > 0 ? 'failed' : 'passed'} label={null} />
      <b>
        {failing > 0 ? `${count(failing)} of ${count(all)}` : count(all)}
        <span className="sr">{failing > 0 ? ' scores fail' : ' scores, none fails'}</span>
      </b>
    </>
  );
}
