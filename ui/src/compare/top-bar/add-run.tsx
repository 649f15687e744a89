import { useState } from 'react';
import { classNames } from '../../components/class-names.js';
import { ButtonCount, buttonClass } from '../../components/controls/button.js';
import { menuClass } from '../../components/controls/menu.js';
import { Popup } from '../../components/controls/popup.js';
import { Icon } from '../../components/icons/icon.js';
import { RunChooser } from '../run-chooser.js';
import styles from '../run-chooser.module.css';
import { useCompareView } from '../use-compare-view.js';
import { maxRuns, withRuns } from '../view-state.js';

/** A button that opens a list of runs to add. */
export function AddRun({
  runs,
  session,
}: {
  runs: readonly string[];
  session: string | undefined;
}) {
  const [, setView] = useCompareView();
  const [isOpen, setOpen] = useState(false);
  const isFull = runs.length >= maxRuns;
  return (
    <Popup
      label="Add a run"
      align="end"
      isOpen={isOpen}
      setOpen={setOpen}
      className={classNames(menuClass, styles.popover)}
      button={{
        className: buttonClass({}),
        'aria-disabled': isFull,
        ...(isFull && { title: `${maxRuns} runs at most`, onClick: () => {} }),
        children: (
          <>
            <Icon name="plus" />
            Add run{' '}
            <ButtonCount>
              {runs.length} of {maxRuns}
            </ButtonCount>
          </>
        ),
      }}
    >
      <RunChooser
        taken={runs}
        session={session}
        isFocused
        onPick={(id) => {
          setOpen(false);
          setView((view) => withRuns(view, [...view.runs, id]));
        }}
      />
    </Popup>
  );
}
