import { useState } from 'react';
import { isReport } from '../app/report-mode.js';
import { classNames } from '../components/class-names.js';
import { ButtonCount, buttonClass } from '../components/controls/button.js';
import { menuClass } from '../components/controls/menu.js';
import { Popup } from '../components/controls/popup.js';
import { Icon } from '../components/icons/icon.js';
import { RunChooser } from './run-chooser.js';
import chooserStyles from './run-chooser.module.css';

/** A button that opens a list of runs to add, up to `most`. */
export function AddRun({
  runs,
  session,
  most,
  onPick,
}: {
  runs: readonly string[];
  session: string | undefined;
  most: number;
  onPick: (id: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const isFull = runs.length >= most;
  if (isReport) return null;
  return (
    <Popup
      label="Add a run"
      align="end"
      isOpen={isOpen}
      setOpen={setOpen}
      className={classNames(menuClass, chooserStyles.popover)}
      button={{
        className: buttonClass({}),
        'aria-disabled': isFull,
        ...(isFull && { title: `${most} runs at most`, onClick: () => {} }),
        children: (
          <>
            <Icon name="plus" />
            Add run{' '}
            <ButtonCount>
              {runs.length}/{most}
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
          onPick(id);
        }}
      />
    </Popup>
  );
}
