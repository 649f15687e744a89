import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import type { PromptDiff, TracesPage } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { flipTheme } from '../app/theme.js';
import barStyles from '../compare/compare-bar.module.css';
import { MissingRuns, TooFewRuns } from '../compare/missing-runs.js';
import { useRunFacets } from '../compare/queries.js';
import { RunTag } from '../compare/run-tag.js';
import { classNames } from '../components/class-names.js';
import { BackLink, Bar, BarSpace, BarTools, Slash } from '../components/controls/bar.js';
import { Button, IconButton } from '../components/controls/button.js';
import { CopyButton } from '../components/controls/copy-button.js';
import { FilterPill } from '../components/controls/filter-pill.js';
import { Kbd } from '../components/controls/kbd.js';
import { count, counted } from '../components/figures/figures.js';
import { Moment } from '../components/figures/time.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import lineStyles from '../dashboard/filters/filter-line.module.css';
import { Loading } from '../dashboard/messages/loading.js';
import { cycle, isChosen, noChoice, standing } from '../dashboard/view-state.js';
import { OutlinePart } from '../result/outline/outline.js';
import { visibleText } from '../result/values/visible-text.js';
import { PartDiffs } from './part-diffs.js';
import { partingNames } from './prompt-words.js';
import styles from './prompts-page.module.css';
import { tracesQuery, usePromptDiff, usePromptsView, useTraceFigures } from './prompts-view.js';
import { Traces } from './traces.js';

/** What of the requests differs between two runs. */
export function PromptsPage() {
  const [view, setView] = usePromptsView();
  const [, navigate] = useLocation();
  const { runs } = view;
  const diff = usePromptDiff(runs);
  const query = tracesQuery(view);
  const traces = useTraceFigures(runs, query);
  const pairs = `/compare?${new URLSearchParams(runs.map((run): [string, string] => ['run', run]))}`;
  useShortcut('back', () => navigate(pairs));
  useShortcut('tab', () => navigate(pairs), true, 'pairs');
  const names = diff.data?.runs.map(({ run_name }) => run_name);
  useEffect(() => {
    document.title = `${names === undefined ? 'Prompts' : `Prompts of ${names.join(', ')}`} · assay`;
  }, [names]);
  const setRuns = (next: readonly string[]) => setView((now) => ({ ...now, runs: next }));
  return (
    <>
      <Bar>
        <BackLink href={pairs}>Compare</BackLink>
        <Slash className={barStyles.wide} />
        <span>prompts</span>
        <BarSpace />
        <BarTools>
          <CopyButton label="Copy link" icon="chain" text={() => location.href} />
          <IconButton icon="theme" label="Theme" onClick={flipTheme} />
        </BarTools>
      </Bar>
      <main>
        <h1 className="sr">What differs between the requests of two runs</h1>
        {runs.length < 2 ? (
          <TooFewRuns runs={runs} most={2} onPick={(id) => setRuns([...runs, id])} />
        ) : diff.data ? (
          <Shown diff={diff.data} traces={traces.data} pairs={pairs} query={query} />
        ) : diff.error ? (
          <Failed runs={runs} error={diff.error} onRetry={diff.refetch} onRuns={setRuns} />
        ) : (
          <Loading what="the requests" />
        )}
      </main>
    </>
  );
}

function Failed({
  runs,
  error,
  onRetry,
  onRuns,
}: {
  runs: readonly string[];
  error: Error;
  onRetry: () => unknown;
  onRuns: (runs: readonly string[]) => void;
}) {
  const { errors } = useRunFacets(runs);
  if (errors.some(Boolean)) return <MissingRuns runs={runs} errors={errors} onRuns={onRuns} />;
  return (
    <Unreadable
      title="The requests of these runs cannot be compared"
      error={error}
      onRetry={() => void onRetry()}
    />
  );
}

function Shown({
  diff,
  traces,
  pairs,
  query,
}: {
  diff: PromptDiff;
  traces: TracesPage | undefined;
  pairs: string;
  query: string;
}) {
  const [{ runs }] = usePromptsView();
  const values = useRef<HTMLDivElement>(null);
  return (
    <>
      <Summary diff={diff} />
      <Filters diff={diff} traces={traces} pairs={pairs} />
      <div ref={values}>
        <div className={styles.body}>
          <OutlinePart values={values} />
          <div>
            <PartDiffs diff={diff} />
          </div>
        </div>
        <section aria-labelledby="traces-title" data-outline={count(traces?.filtered ?? 0)}>
          <h2 id="traces-title" className="sr">
            Traces
          </h2>
          {traces === undefined ? null : traces.filtered === 0 ? (
            <Empty title={traces.total === 0 ? 'No traces to compare' : 'No trace parts here'}>
              <p>
                {traces.total === 0
                  ? 'No case has calls with messages in both runs.'
                  : `${counted(traces.total, 'case')} with other filters.`}
              </p>
            </Empty>
          ) : (
            <Traces
              key={query}
              runs={runs}
              names={diff.runs.map(({ run_name }) => run_name)}
              query={query}
              count={traces.filtered}
            />
          )}
        </section>
      </div>
    </>
  );
}

function Summary({ diff }: { diff: PromptDiff }) {
  const { runs, parts, varying, compared, without, partings } = diff;
  const nowhere = partings.find(({ value }) => value === 'nowhere')?.count ?? 0;
  const said = (part: 'system' | 'tools' | 'parameters') => {
    const its = parts.filter((one) => one.part === part);
    const differing = its.filter(({ same }) => !same).length;
    const varied = varying.filter((one) => one.part === part).length;
    if (its.length + varied === 0) return 'none seen';
    return (
      <>
        <b>{count(differing)}</b> of {count(its.length)} {differing === 1 ? 'differs' : 'differ'}
        {varied > 0 && `, ${count(varied)} by case`}
      </>
    );
  };
  return (
    <section className={styles.summary} aria-label="Runs">
      <div className={styles.runs}>
        {runs.map(({ run_id, run_name, timestamp }, n) => (
          <p key={run_id}>
            <RunTag run={n} /> <b className="cut">{visibleText(run_name)}</b>{' '}
            <span className="quiet">
              <Moment unix={timestamp} />
            </span>
          </p>
        ))}
      </div>
      <dl className={styles.what}>
        <div>
          <dt>system prompt</dt>
          <dd>{said('system')}</dd>
        </div>
        <div>
          <dt>tools</dt>
          <dd>{said('tools')}</dd>
        </div>
        <div>
          <dt>parameters</dt>
          <dd>{said('parameters')}</dd>
        </div>
        <div>
          <dt>traces</dt>
          <dd
            title={without > 0 ? `${count(without)} without calls in one of the runs` : undefined}
          >
            <b>{count(compared - nowhere)}</b> of {count(compared)} part
          </dd>
        </div>
      </dl>
    </section>
  );
}

const shownChanges = ['regressed', 'fixed', 'changed'] as const;

function Filters({
  diff,
  traces,
  pairs,
}: {
  diff: PromptDiff;
  traces: TracesPage | undefined;
  pairs: string;
}) {
  const [view, setView] = usePromptsView();
  const changes = new Map(traces?.facets.change.map(({ value, count: of }) => [value, of]));
  const isFiltered =
    view.case !== undefined || [view.parts, view.change].some((choice) => isChosen(choice));
  return (
    <nav className={lineStyles.line} aria-label="Filters">
      <span className={styles.tabs}>
        <Link href={pairs}>Pairs</Link>
        <span aria-current="page">Prompt</span>
        <Kbd>t</Kbd>
      </span>
      {view.case !== undefined && (
        <FilterPill
          standing="in"
          text={`only ${visibleText(view.case.replace(/^.*::/s, ''))}`}
          onClick={() => setView((now) => ({ ...now, case: undefined }))}
        />
      )}
      <span className={lineStyles.group}>parts at</span>
      {(traces?.facets.parts ?? diff.partings).map(({ value, count: of }) => (
        <FilterPill
          key={value}
          standing={standing(view.parts, value)}
          text={partingNames[value]}
          count={of}
          onClick={() => setView((now) => ({ ...now, parts: cycle(now.parts, value) }))}
        />
      ))}
      <span className={lineStyles.group}>change</span>
      {shownChanges.map((value) => (
        <FilterPill
          key={value}
          standing={standing(view.change, value)}
          text={value}
          count={changes.get(value) ?? 0}
          onClick={() => setView((now) => ({ ...now, change: cycle(now.change, value) }))}
        />
      ))}
      {isFiltered && (
        <Button
          look="ghost"
          small
          onClick={() =>
            setView((now) => ({ ...now, parts: noChoice, change: noChoice, case: undefined }))
          }
        >
          Clear
        </Button>
      )}
      <span className={lineStyles.space} />
      {traces && (
        <span className={classNames(lineStyles.end)}>
          <span className="quiet" role="status">
            <b>{count(traces.filtered)}</b> of {count(traces.total)}
          </span>
        </span>
      )}
    </nav>
  );
}
