import { useQueryClient } from '@tanstack/react-query';
import { useActivateRun } from '../../api/actions.js';
import { listRuns } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { useSessions } from '../../api/queries.js';
import { MenuCaption, MenuItem } from '../../components/controls/menu.js';
import { counted } from '../../components/figures/figures.js';
import { useShown } from '../dashboard-state.js';
import { useView } from '../use-view.js';
import { withoutFilters } from '../view-state.js';

/** The names of all sessions, including that of an unsaved run. */
export function useSessionNames(): readonly string[] {
  const { run } = useShown();
  const { data: saved = [] } = useSessions();
  return saved.includes(run.session_name) ? saved : [run.session_name, ...saved];
}

/** The menu items for sessions: each opens the newest run. */
export function SessionItems() {
  const { run } = useShown();
  const cache = useQueryClient();
  const [, setView] = useView();
  const activate = useActivateRun();
  const sessions = useSessionNames();
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
      <MenuCaption>{counted(sessions.length, 'session')}</MenuCaption>
      {sessions.map((session) => (
        <MenuItem
          key={session}
          needsServer
          current={session === run.session_name}
          onClick={() => {
            if (session !== run.session_name) void open(session);
          }}
        >
          <span className="cut">{session}</span>
        </MenuItem>
      ))}
    </>
  );
}
