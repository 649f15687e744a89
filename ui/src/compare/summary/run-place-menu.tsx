import type { RunHead } from '../../api/schema.js';
import { Menu, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { letterOf } from '../letters.js';
import { RunTag } from '../run-tag.js';
import { useCompareView } from '../use-compare-view.js';
import { moveRun, withRuns } from '../view-state.js';
import styles from './run-rows.module.css';

/** The letter of a run, which opens a menu for its position among the runs. */
export function RunPlaceMenu({
  run,
  position,
  count: runs,
  onRemove,
}: {
  run: RunHead;
  position: number;
  count: number;
  onRemove: () => void;
}) {
  const [, setView] = useCompareView();
  const move = (to: number) => setView((view) => withRuns(view, moveRun(view.runs, position, to)));
  return (
    <Menu
      label={`Run ${letterOf(position)}`}
      portal
      button={{
        className: styles.letter,
        'aria-label': `Run ${letterOf(position)}, ${run.run_name}: move or remove`,
        title: 'Move or remove',
        children: <RunTag run={position} />,
      }}
    >
      <MenuItem
        disabled={position === 0}
        note="The others are compared with it"
        onClick={() => move(0)}
      >
        Make it the base
      </MenuItem>
      <MenuItem disabled={position === 0} onClick={() => move(position - 1)}>
        Move up
      </MenuItem>
      <MenuItem disabled={position === runs - 1} onClick={() => move(position + 1)}>
        Move down
      </MenuItem>
      <MenuLine />
      <MenuItem onClick={onRemove}>Remove</MenuItem>
    </Menu>
  );
}
