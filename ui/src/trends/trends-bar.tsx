import { Link, useLocation } from 'wouter';
import { useRun, useSessions } from '../api/queries.js';
import type { Trend, TrendRun } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { flipTheme } from '../app/theme.js';
import { download } from '../browser/download.js';
import { classNames } from '../components/class-names.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { ButtonCount, buttonClass, IconButton } from '../components/controls/button.js';
import { IconMenu, Menu, MenuCaption, MenuItem, MenuLine } from '../components/controls/menu.js';
import { count } from '../components/figures/figures.js';
import { momentText } from '../components/figures/time.js';
import { Icon } from '../components/icons/icon.js';
import topStyles from '../dashboard/top-bar/top-bar.module.css';
import { maxMatrixRuns } from '../matrix/view-state.js';
import { matrixHref, trendsAddress } from '../result/addresses.js';
import { Segments } from '../result/section.js';
import { visibleText } from '../result/values/visible-text.js';
import { runHref } from './run-cursor.js';
import { runFiltersId } from './run-filters.js';
import styles from './trends-bar.module.css';
import type { SetTrendsView } from './use-trends-view.js';
import { sizes, type TrendsView } from './view-state.js';

/** The top bar: session, how many runs, whose line, from which run limits count, and the comparison of chosen runs. */
export function TrendsBar({
  session,
  trend,
  runs,
  view,
  setView,
  chosen,
}: {
  session: string;
  trend: Trend | undefined;
  /** Those that are shown, oldest first. */
  runs: readonly TrendRun[];
  view: TrendsView;
  setView: SetTrendsView;
  /** Ids of the chosen runs. */
  chosen: readonly string[];
}) {
  const [, navigate] = useLocation();
  const { data: active } = useRun('latest');
  const newest = trend?.runs.at(-1);
  const isOwn = active?.session_name === session || newest === undefined;
  const back = isOwn ? '/' : runHref(newest.run_id);
  const compare = compareHref(runs, chosen);
  const focusFilters = () =>
    document.getElementById(runFiltersId)?.querySelector('button')?.focus();
  useShortcut('back', () => navigate(back));
  useShortcut('filters', focusFilters);
  useShortcut('compare', () => compare !== undefined && navigate(compare));
  const shownSizes = Object.fromEntries(sizes.map((size) => [size, size]));
  return (
    <Bar>
      <BackLink href={back} />
      <Slash className={styles.wide} />
      <SessionMenu session={session} />
      <Slash className={styles.wide} />
      <span>trends</span>
      {trend && (
        <span className={classNames('quiet', styles.wide)}>
          {runs.length < trend.total && `${count(runs.length)} of `}
          {count(trend.total)} {trend.total === 1 ? 'run' : 'runs'}
        </span>
      )}
      <BarSpace />
      {trend && trend.total > Number(sizes[0]) && (
        <span className={styles.sizes}>
          <Segments
            label="How many runs"
            names={shownSizes}
            value={view.size}
            onChange={(size) =>
              setView((now) => ({ ...now, size: sizes.find((one) => one === size) ?? now.size }))
            }
          />
        </span>
      )}
      <BarTools>
        {runs.length > 1 && <IconButton icon="filter" label="Filters" onClick={focusFilters} />}
        {trend && newest && <TrendExport trend={trend} />}
        <IconButton icon="theme" label="Theme" className={styles.wide} onClick={flipTheme} />
      </BarTools>
      {trend && trend.runs.length > 1 && (
        <LineMenu trend={trend} runs={runs} view={view} setView={setView} />
      )}
      {compare !== undefined && (
        <Link
          href={compare}
          className={buttonClass({})}
          aria-label={chosen.length > 1 ? `Compare ${chosen.length} runs` : 'Compare'}
          title={
            chosen.length > 1 ? undefined : 'The newest run with the run before; x chooses others'
          }
        >
          <Icon name="compare" />
          <span className={styles.word}>Compare</span>
          {chosen.length > 1 && <ButtonCount>{chosen.length}</ButtonCount>}
        </Link>
      )}
    </Bar>
  );
}

/** Compares the chosen runs, the oldest first; else the newest run with the one before. */
function compareHref(runs: readonly TrendRun[], chosen: readonly string[]): string | undefined {
  const picked = runs.filter(({ run_id }) => chosen.includes(run_id)).map(({ run_id }) => run_id);
  const last = runs.findLast(({ previous }) => previous !== null);
  const pair = last?.previous ? [last.previous.run_id, last.run_id] : [];
  const ids = picked.length > 1 ? picked.slice(-maxMatrixRuns) : pair;
  if (ids.length < 2) return undefined;
  if (ids.length > 4) return matrixHref(ids);
  return `/compare?${new URLSearchParams(ids.map((id) => ['run', id]))}`;
}

/** Shows the session, and leads to the trends of another one. */
function SessionMenu({ session }: { session: string }) {
  const { data: sessions = [] } = useSessions();
  const [, navigate] = useLocation();
  return (
    <Menu
      label="Sessions"
      button={{
        className: classNames(topStyles.pick, topStyles.session, styles.wide),
        title: 'Session',
        children: (
          <>
            <b className="cut">{visibleText(session)}</b>
            <Icon name="down" />
          </>
        ),
      }}
    >
      {sessions.map((name) => (
        <MenuItem
          key={name}
          current={name === session}
          onClick={() => navigate(trendsAddress(name))}
        >
          <span className="cut">{visibleText(name)}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Chooses whose runs the line joins, and from which of them limits count on. */
function LineMenu({
  trend: { runs: all, baseline, no_limits, config_name },
  runs,
  view,
  setView,
}: {
  trend: Trend;
  runs: readonly TrendRun[];
  view: TrendsView;
  setView: SetTrendsView;
}) {
  const configs = [...new Set(all.map((run) => run.config_name))].sort();
  const offered = runs.filter(({ on_line }) => on_line).toReversed();
  const hasBaseline = no_limits === undefined && baseline !== null;
  return (
    <Menu
      label="Line and baseline"
      align="end"
      className={styles.menu}
      button={{
        className: buttonClass({}),
        'aria-label': hasBaseline
          ? `Baseline ${baseline.run_name}`
          : `Line ${config_name ?? ''}`.trim(),
        children: (
          <>
            <Icon name="flag" />
            <span className={styles.wide}>{hasBaseline ? 'Baseline' : 'Line'}</span>{' '}
            <b className={styles.chosen}>
              {visibleText((hasBaseline ? baseline.run_name : config_name) ?? '')}
            </b>
            <Icon name="down" small />
          </>
        ),
      }}
    >
      {configs.length > 1 && (
        <>
          <MenuCaption>the line joins runs of</MenuCaption>
          {configs.map((name) => (
            <MenuItem
              key={name}
              current={name === config_name}
              onClick={() => setView((now) => ({ ...now, line: name, baseline: undefined }))}
            >
              <span className="cut">{visibleText(name)}</span>
            </MenuItem>
          ))}
          {hasBaseline && <MenuLine />}
        </>
      )}
      {hasBaseline && (
        <>
          <MenuCaption>limits count from</MenuCaption>
          <MenuItem
            current={view.baseline === undefined}
            onClick={() => setView((now) => ({ ...now, baseline: undefined }))}
          >
            the oldest run of the line
          </MenuItem>
          {offered.map((run) => (
            <MenuItem
              key={run.run_id}
              current={run.run_id === view.baseline}
              note={momentText(new Date(run.started_at * 1000))}
              onClick={() => setView((now) => ({ ...now, baseline: run.run_id }))}
            >
              <span className="cut">{visibleText(run.run_name)}</span>
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  );
}

function TrendExport({ trend }: { trend: Trend }) {
  const name = trend.session_name.replace(/[^\p{L}\p{N}-]+/gu, '-');
  return (
    <IconMenu icon="export" label="Export" hasExport>
      <MenuItem
        data-export
        note="All figures, as the API answers"
        onClick={() =>
          download(
            new Blob([`${JSON.stringify(trend, null, 2)}\n`], { type: 'application/json' }),
            `trend-${name}.json`,
          )
        }
      >
        JSON
      </MenuItem>
    </IconMenu>
  );
}
