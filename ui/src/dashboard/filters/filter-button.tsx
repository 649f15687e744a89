import { useState } from 'react';
import type { RowFigures } from '../../api/row-queries.js';
import { useShortcut } from '../../app/shortcuts.js';
import { classNames } from '../../components/class-names.js';
import { buttonClass } from '../../components/controls/button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { loadable } from '../../components/controls/loadable.js';
import { Popup } from '../../components/controls/popup.js';
import { Icon } from '../../components/icons/icon.js';
import lineStyles from './filter-line.module.css';
import styles from './filter-panel.module.css';

const panel = loadable(() => import('./filter-panel.js'));

/** The id of the button for all filters. */
export const filterButtonId = 'filter-button';

/** Opens all filters in a popover, as `f` does. */
export function FilterButton({ figures }: { figures: RowFigures }) {
  const [isOpen, setOpen] = useState(false);
  useShortcut('filters', () => setOpen(true));
  const parts = panel.use(isOpen);
  return (
    <Popup
      label="Filters"
      isOpen={isOpen && parts !== undefined}
      setOpen={setOpen}
      className={styles.panel ?? ''}
      // Where the line scrolls horizontally, the button may be invisible.
      getAnchorRect={anchorRect}
      button={{
        id: filterButtonId,
        className: classNames(buttonClass({ look: 'ghost', small: true }), lineStyles.button),
        children: (
          <>
            <Icon name="plus" small />
            Filter <Kbd>f</Kbd>
          </>
        ),
      }}
    >
      {parts && <parts.FilterPanel figures={figures} />}
    </Popup>
  );
}

function anchorRect(button: HTMLElement | null): DOMRect | null {
  const rect = button?.getBoundingClientRect() ?? null;
  if (rect === null || rect.right <= window.innerWidth) return rect;
  return button?.closest('nav')?.getBoundingClientRect() ?? rect;
}
