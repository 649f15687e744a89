import type { MouseEvent } from 'react';
import { isReport } from '../../../app/report-mode.js';
import { classNames } from '../../../components/class-names.js';
import styles from './check-box.module.css';

export type Checked = 'on' | 'off' | 'some';

const states = { on: true, off: false, some: 'mixed' } as const;

/** A checkbox. In rows it is not focusable, because the grid handles the keyboard. */
export function CheckBox({
  checked,
  label,
  tabIndex = -1,
  onToggle,
}: {
  checked: Checked;
  label: string;
  tabIndex?: 0 | -1;
  onToggle: (event: MouseEvent) => void;
}) {
  // Nothing can be done with what is selected.
  if (isReport) return <span />;
  return (
    <span
      role="checkbox"
      aria-checked={states[checked]}
      aria-label={label}
      tabIndex={tabIndex}
      className={styles.target}
      onClick={(event) => {
        event.stopPropagation();
        onToggle(event);
      }}
      onKeyDown={(event) => {
        if (event.key !== ' ' && event.key !== 'Enter') return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.click();
      }}
    >
      <span
        className={classNames(
          styles.box,
          checked === 'on' && styles.on,
          checked === 'some' && styles.some,
        )}
      />
    </span>
  );
}
