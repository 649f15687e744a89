import type { RefObject } from 'react';
import { buttonClass } from '../components/controls/button.js';
import { IconMenu, Menu, MenuItem, MenuLine } from '../components/controls/menu.js';
import { Icon } from '../components/icons/icon.js';
import { useOutline } from './outline/use-outline.js';
import type { ResultActionsState } from './result-actions.js';
import styles from './slim-bar.module.css';

/** The menu of the sections, named after the one in view. `actions`: they are in it, too, as in a narrow bar. */
export function SlimMenu({
  values,
  actions,
}: {
  /** Holds the sections. */
  values: RefObject<HTMLElement | null>;
  actions: ResultActionsState | undefined;
}) {
  const { entries, goTo } = useOutline(values);
  const sections = entries.filter(({ kind }) => kind === 'section');
  const items = sections.map((entry, n) => (
    <MenuItem
      // biome-ignore lint/suspicious/noArrayIndexKey: two sections may have the same title
      key={`${n} ${entry.title}`}
      current={entry.isCurrent}
      // Once the menu has given the focus back, which scrolls.
      onClick={() => requestAnimationFrame(() => goTo(entry))}
    >
      {entry.title}
    </MenuItem>
  ));
  if (actions !== undefined) {
    return (
      <IconMenu icon="more" label="More">
        <RegradeItem actions={actions} />
        {items}
      </IconMenu>
    );
  }
  const title = sections.find(({ isCurrent }) => isCurrent)?.title ?? 'Sections';
  return (
    <Menu
      label="Sections"
      button={{
        className: buttonClass({ look: 'ghost', small: true }),
        'aria-label': `${title}, go to a section`,
        children: (
          <>
            <span className={`cut ${styles.section}`}>{title}</span> <Icon name="down" small />
          </>
        ),
      }}
    >
      {items}
    </Menu>
  );
}

function RegradeItem({
  actions: { isFresh, canRegrade, whyNoRegrade, regradeLabel, inexactNote, regrade },
}: {
  actions: ResultActionsState;
}) {
  if (isFresh) return null;
  return (
    <>
      <MenuItem
        needsServer
        disabled={!canRegrade}
        note={whyNoRegrade ?? inexactNote}
        onClick={regrade}
      >
        {regradeLabel}
      </MenuItem>
      <MenuLine />
    </>
  );
}
