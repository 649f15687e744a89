import { Link, useLocation } from 'wouter';
import { useSearchLine } from '../api/row-queries.js';
import type { RunComparison } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { flipTheme } from '../app/theme.js';
import { download } from '../browser/download.js';
import { classNames } from '../components/class-names.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { buttonClass, IconButton } from '../components/controls/button.js';
import { CopyButton } from '../components/controls/copy-button.js';
import { IconMenu, MenuItem } from '../components/controls/menu.js';
import { SearchField } from '../components/controls/search-field.js';
import { counted } from '../components/figures/figures.js';
import { Icon } from '../components/icons/icon.js';
import { withCondition } from '../dashboard/view-state.js';
import { maxMatrixRuns } from '../matrix/view-state.js';
import { promptsHref } from '../prompts/prompts-view.js';
import { matrixHref } from '../result/addresses.js';
import { AddRun } from './add-run.js';
import styles from './compare-bar.module.css';
import type { PairFigures } from './queries.js';
import { renderComparison } from './summary/render-comparison.js';
import { useCompareView } from './use-compare-view.js';
import { maxRuns, withRuns } from './view-state.js';

/** Id of the filter line, which takes the focus. */
export const filterLineId = 'filters';

/** The top bar: back link, search, and actions. */
export function CompareBar({
  runs,
  session,
  comparison,
  figures,
}: {
  runs: readonly string[];
  session: string | undefined;
  comparison: RunComparison | undefined;
  figures: PairFigures | undefined;
}) {
  const [view, setView] = useCompareView();
  const readLine = useSearchLine();
  const [, navigate] = useLocation();
  // A comparison is opened from its newest run, which is last.
  const last = runs.at(-1);
  const back = last === undefined ? '/' : `/?run=${encodeURIComponent(last)}`;
  useShortcut('back', () => navigate(back));
  const focusFilters = () =>
    document.getElementById(filterLineId)?.querySelector('button')?.focus();
  useShortcut('filters', focusFilters);
  useShortcut('tab', () => navigate(promptsHref(runs)), runs.length > 1, 'prompts of the runs');
  return (
    <Bar>
      <BackLink href={back} />
      {session !== undefined && (
        <>
          <Slash className={styles.wide} />
          <span className={classNames('quiet', 'cut', styles.wide)}>{session}</span>
        </>
      )}
      <Slash className={styles.wide} />
      <span className={styles.wide}>compare</span>
      <BarSpace />
      {figures && (
        <SearchField
          search={view.search}
          placeholder={`Search ${counted(figures.total, 'pair')}`}
          className={styles.search}
          onSearch={(search, conditions) =>
            setView((now) => ({ ...conditions.reduce(withCondition, now), search }), {
              replace: conditions.length === 0,
            })
          }
          readLine={readLine}
        />
      )}
      <BarTools className={styles.tools}>
        {figures && <IconButton icon="filter" label="Filters" onClick={focusFilters} />}
        {comparison && <CompareExport comparison={comparison} />}
        <CopyButton label="Copy link" icon="chain" text={() => location.href} />
        <IconButton icon="theme" label="Theme" onClick={flipTheme} />
      </BarTools>
      {runs.length > 1 && (
        <Link
          href={promptsHref(runs)}
          className={buttonClass({ look: 'ghost' })}
          title="What of the requests differs between A and B (t)"
        >
          Prompt
        </Link>
      )}
      {runs.length > 1 && (
        <Link href={matrixHref(runs)} className={buttonClass({ look: 'ghost' })} title="Matrix">
          <Icon name="columns" />
          <span className={styles.word}>Matrix</span>
        </Link>
      )}
      {runs.length > 0 && (
        <AddRun
          runs={runs}
          session={session}
          most={maxMatrixRuns}
          onPick={(id) => {
            const next = [...runs, id];
            if (next.length > maxRuns) navigate(matrixHref(next));
            else setView((now) => withRuns(now, next));
          }}
        />
      )}
    </Bar>
  );
}

/** Exports the figures of the comparison. */
function CompareExport({ comparison }: { comparison: RunComparison }) {
  const save = (text: string, type: string, ending: string) => {
    const names = comparison.runs.map(({ run_name }) => run_name.replace(/[^\p{L}\p{N}-]+/gu, '-'));
    download(new Blob([text], { type }), `compare-${names.join('-')}.${ending}`);
  };
  return (
    <IconMenu icon="export" label="Export" hasExport>
      <MenuItem
        note="Pass rate, scores, latency and changes as tables"
        onClick={() => save(renderComparison(comparison), 'text/markdown', 'md')}
      >
        Markdown
      </MenuItem>
      <MenuItem
        note="All figures, as the API answers"
        onClick={() => save(`${JSON.stringify(comparison, null, 2)}\n`, 'application/json', 'json')}
      >
        JSON
      </MenuItem>
    </IconMenu>
  );
}
