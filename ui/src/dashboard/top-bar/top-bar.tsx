import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useDeleteSession } from '../../api/actions.js';
import type { Run } from '../../api/client.js';
import { useSessionRuns } from '../../api/queries.js';
import { useSearchLine } from '../../api/row-queries.js';
import { isReport } from '../../app/report-mode.js';
import { useShortcut } from '../../app/shortcuts.js';
import { useMedia } from '../../browser/use-media.js';
import { classNames } from '../../components/class-names.js';
import { Bar, BarSpace, Slash } from '../../components/controls/bar.js';
import { buttonClass } from '../../components/controls/button.js';
import { ConfirmDialog, Dialog } from '../../components/controls/dialog.js';
import { loadable } from '../../components/controls/loadable.js';
import { Menu, MenuItem, MenuLine } from '../../components/controls/menu.js';
import { SearchField } from '../../components/controls/search-field.js';
import { counted } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { matrixHref, trendsAddress } from '../../result/addresses.js';
import { useShown } from '../dashboard-state.js';
import { useView } from '../use-view.js';
import { withCondition, withoutFilters } from '../view-state.js';
import { ConfigPicker } from './config-picker.js';
import { RunControls } from './run-controls.js';
import { RunPicker } from './run-picker.js';
import { SessionItems } from './session-items.js';
import { Tools } from './tools.js';
import styles from './top-bar.module.css';

const settings = loadable(() => import('../../settings/settings-form.js'));

/** The top bar: run, search and actions. */
export function TopBar() {
  const { run, figures } = useShown();
  const [view, setView] = useView();
  const [hasSettings, setSettings] = useState(false);
  const parts = settings.use(hasSettings);
  const compare = useCompareLink(run);
  useShortcut('compare', compare.open);
  const readLine = useSearchLine();
  const isCompact = useMedia('(min-width: 641px) and (max-width: 900px)');
  const [isSearching, setSearching] = useState(false);
  const hasSearch = !isCompact || isSearching || view.search !== '';
  useShortcut('search', () => setSearching(true), !hasSearch);
  return (
    <Bar className={styles.bar}>
      <SessionPicker />
      <Slash className={styles.slash} />
      <RunPicker compareHref={compare.href} />
      {compare.href && (
        <Link
          href={compare.href}
          className={classNames(buttonClass({ look: 'ghost' }), styles.wide)}
        >
          <Icon name="compare" />
          Compare
        </Link>
      )}
      {compare.matrix && (
        <Link
          href={compare.matrix}
          className={classNames(buttonClass({ look: 'ghost' }), styles.wide)}
          title={`All runs of group ${compare.group}`}
        >
          <Icon name="columns" />
          Matrix
        </Link>
      )}
      <BarSpace />
      {hasSearch && (
        <SearchField
          key={isCompact ? 'compact' : 'wide'}
          autoFocus={isSearching}
          onLeave={() => setSearching(false)}
          search={view.search}
          placeholder={`Search ${counted(figures?.total ?? run.total_evaluations, 'result')}`}
          className={styles.search}
          onSearch={(search, conditions) =>
            setView((now) => ({ ...conditions.reduce(withCondition, now), search }), {
              replace: conditions.length === 0,
            })
          }
          readLine={readLine}
        />
      )}
      <Tools
        onSearch={hasSearch ? undefined : () => setSearching(true)}
        compareHref={compare.href}
        matrixHref={compare.matrix}
        onSettings={() => setSettings(true)}
      />
      {!isReport && (
        <>
          <ConfigPicker />
          <RunControls />
        </>
      )}
      <Dialog
        title="Settings"
        isOpen={hasSettings && parts !== undefined}
        onClose={() => setSettings(false)}
      >
        {parts && <parts.SettingsContent onClose={() => setSettings(false)} />}
      </Dialog>
    </Bar>
  );
}

/**
 * The link that compares a run with the previous one of its session, which is the base. `matrix`: the link to all runs of
 * its group that are still there, if it has one.
 */
function useCompareLink(run: Run) {
  const [, navigate] = useLocation();
  const { data: runs = [] } = useSessionRuns(run.session_name);
  const at = runs.findIndex(({ run_id }) => run_id === run.run_id);
  const before = runs[at + 1];
  const ids = [...(before ? [before.run_id] : []), ...(at < 0 ? [] : [run.run_id])];
  // A report may have nothing to compare with.
  const isAlone = isReport && runs.length < 2;
  const href = isAlone ? '' : `/compare?${new URLSearchParams(ids.map((id) => ['run', id]))}`;
  const { group, group_runs = [] } = runs[at] ?? {};
  const others = group_runs.filter((id) => runs.some(({ run_id }) => run_id === id));
  const matrix = others.length > 1 ? matrixHref(others) : undefined;
  return { href, group, matrix, open: () => href && navigate(href) };
}

/** Shows the session and opens the newest run of another one. */
function SessionPicker() {
  const { run } = useShown();
  const [, setView] = useView();
  const [, navigate] = useLocation();
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
        <SessionItems />
        {runs.length > 0 && (
          <>
            <MenuLine />
            {!isReport && (
              <MenuItem onClick={() => navigate(trendsAddress(run.session_name))}>Trends</MenuItem>
            )}
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
