import { Popover, PopoverDisclosure, PopoverProvider } from '@ariakit/react';
import { useState } from 'react';
import { classNames } from '../../components/class-names.js';
import { ButtonCount, buttonClass } from '../../components/controls/button.js';
import { menuClass } from '../../components/controls/menu.js';
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
    <PopoverProvider placement="bottom-end" open={isOpen} setOpen={setOpen}>
      <PopoverDisclosure
        className={buttonClass({})}
        disabled={isFull}
        accessibleWhenDisabled
        title={isFull ? `${maxRuns} runs at most` : undefined}
      >
        <Icon name="plus" />
        Add run{' '}
        <ButtonCount>
          {runs.length} of {maxRuns}
        </ButtonCount>
      </PopoverDisclosure>
      <Popover
        portal
        gutter={4}
        overflowPadding={8}
        unmountOnHide
        aria-label="Add a run"
        className={classNames(menuClass, styles.popover)}
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
      </Popover>
    </PopoverProvider>
  );
}
