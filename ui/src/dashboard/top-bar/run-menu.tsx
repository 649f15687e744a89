import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { buttonClass } from '../../components/controls/button.js';
import { Menu, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { count } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import type { RunActions } from '../use-run-actions.js';
import { useView } from '../use-view.js';
import { isFiltered } from '../view-state.js';

/** The menu of the split button: more ways to run. */
export function RunMenu({
  run,
  figures,
  actions,
  canGrade,
  isOff,
  hasAllKey,
  isAgain,
  onNewRun,
}: {
  run: Run;
  figures: RowFigures | undefined;
  actions: RunActions;
  canGrade: boolean;
  isOff: boolean;
  /** The button, and the key, rerun all. */
  hasAllKey: boolean;
  /** The button runs the same in a new run. */
  isAgain: boolean;
  onNewRun: () => void;
}) {
  const [view] = useView();
  const { selected } = actions;
  const { failed = 0, errors = 0 } = figures?.summary.counts ?? {};
  const broken = failed + errors;
  const isAll = !isFiltered(view);
  const shown = figures?.filtered ?? 0;
  return (
    <Menu
      label="More ways to run"
      align="end"
      button={{
        className: buttonClass({ look: 'primary' }),
        'aria-label': 'More ways to run',
        disabled: isOff,
        children: <Icon name="down" />,
      }}
    >
      {selected.length > 0 && (
        <MenuItem keys="r" onClick={() => actions.rerun(selected)}>
          Rerun {count(selected.length)} selected
        </MenuItem>
      )}
      {broken > 0 && (
        <MenuItem
          note={isAll ? 'of the whole run' : 'of the filtered results'}
          onClick={actions.rerunFailed}
        >
          Rerun {count(broken)} failed and errors
        </MenuItem>
      )}
      {!isAll && shown > 0 && (
        <MenuItem note="all filtered results" onClick={actions.rerunShown}>
          Rerun {count(shown)} shown
        </MenuItem>
      )}
      <MenuItem
        {...(isAgain && { note: 'in this run' })}
        {...(hasAllKey && { keys: 'r' })}
        onClick={() => actions.rerun()}
      >
        Rerun all {count(run.total_evaluations)}
      </MenuItem>
      <MenuLine />
      <MenuItem note="keeps this run; asks for a name" onClick={onNewRun}>
        New run…
      </MenuItem>
      {canGrade && (
        <>
          <MenuLine />
          <MenuItem
            note="stored outputs, today’s graders"
            keys="g"
            onClick={() => actions.regrade(selected.length > 0 ? selected : undefined)}
          >
            Regrade{' '}
            {selected.length > 0
              ? `${count(selected.length)} selected`
              : `all ${count(run.regradable)}`}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
