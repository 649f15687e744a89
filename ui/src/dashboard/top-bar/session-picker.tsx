import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useActivateRun, useDeleteSession } from '../../api/actions.js';
import { listRuns, type Run } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { useSessionRuns, useSessions } from '../../api/queries.js';
import { classNames } from '../../components/class-names.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { counted } from '../../components/figures.js';
import { Icon } from '../../components/icon.js';
import { Menu, MenuCaption, MenuItem, MenuLine } from '../../components/menu.js';
import { useView } from '../use-view.js';
import { withoutFilters } from '../view-state.js';
import styles from './top-bar.module.css';

/** The session, and the way to another one: to its newest run. */
export function SessionPicker({ run }: { run: Run }) {
  const cache = useQueryClient();
  const [, setView] = useView();
  const { data: saved = [] } = useSessions();
  const { data: runs = [] } = useSessionRuns(run.session_name);
  const activate = useActivateRun();
  const remove = useDeleteSession();
  const [isAsked, setAsked] = useState(false);
  const sessions = saved.includes(run.session_name) ? saved : [run.session_name, ...saved];

  const open = async (session: string) => {
    const answer = await cache.fetchQuery({
      queryKey: keys.sessionRuns(session),
      queryFn: ({ signal }) => listRuns(session, signal),
    });
    const [newest] = answer.runs;
    if (newest === undefined) return;
    activate.mutate(newest.run_id);
    setView((view) => ({ ...withoutFilters(view), run: newest.run_id }));
  };
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
        <MenuCaption>{counted(sessions.length, 'session')}</MenuCaption>
        {sessions.map((session) => (
          <MenuItem
            key={session}
            current={session === run.session_name}
            onClick={() => {
              if (session !== run.session_name) void open(session);
            }}
          >
            <span className="cut">{session}</span>
          </MenuItem>
        ))}
        {runs.length > 0 && (
          <>
            <MenuLine />
            <MenuItem danger onClick={() => setAsked(true)}>
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
          // An event may take the page of the run away first, and this with it.
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
