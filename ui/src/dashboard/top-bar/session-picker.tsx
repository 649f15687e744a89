import { useState } from 'react';
import { useDeleteSession } from '../../api/actions.js';
import type { Run } from '../../api/client.js';
import { useSessionRuns } from '../../api/queries.js';
import { classNames } from '../../components/class-names.js';
import { ConfirmDialog } from '../../components/controls/dialog.js';
import { Menu, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { counted } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { useView } from '../use-view.js';
import { withoutFilters } from '../view-state.js';
import { SessionItems } from './session-items.js';
import styles from './top-bar.module.css';

/** Shows the session and opens the newest run of another one. */
export function SessionPicker({ run }: { run: Run }) {
  const [, setView] = useView();
  const { data: runs = [] } = useSessionRuns(run.session_name);
  const remove = useDeleteSession();
  const [isAsked, setAsked] = useState(false);

  return (
    <>
      <Menu
        label="Sessions"
        button={{
          className: classNames(styles.pick, styles.session),
          title: 'Session',
          children: (
            <>
              <span className="quiet cut">{run.session_name}</span>
              <Icon name="down" />
            </>
          ),
        }}
      >
        <SessionItems run={run} />
        {runs.length > 0 && (
          <>
            <MenuLine />
            <MenuItem needsServer danger onClick={() => setAsked(true)}>
              Delete session…
            </MenuItem>
          </>
        )}
      </Menu>
      <ConfirmDialog
        title={`Delete session ${run.session_name}?`}
        action="Delete session"
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() =>
          // An event may unmount this component before the promise resolves.
          remove.mutateAsync(run.session_name).then(
            () => setView((view) => ({ ...withoutFilters(view), run: undefined })),
            () => {},
          )
        }
      >
        {counted(runs.length, 'run')} with all results, scores and notes. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
