import { useEffect, useState } from 'react';
import { messageOf } from '../api/problem.js';
import { useRun } from '../api/queries.js';
import { useMedia, useNarrow } from '../browser/use-media.js';
import { MissingRuns, TooFewRuns } from '../compare/missing-runs.js';
import { useRunFacets } from '../compare/queries.js';
import { Button } from '../components/controls/button.js';
import { counted } from '../components/figures/figures.js';
import { Banner } from '../components/messages/banner.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import { Loading } from '../dashboard/messages/loading.js';
import { CasePanel } from './case-panel.js';
import { MatrixBar } from './matrix-bar.js';
import { MatrixFilters } from './matrix-filters.js';
import styles from './matrix-page.module.css';
import { MatrixSummary, VariantList } from './matrix-summary.js';
import { firstPlace, MatrixTable } from './matrix-table.js';
import { type MatrixCase, type MatrixFigures, useMatrixFigures, useVariants } from './queries.js';
import { useMatrixView } from './use-matrix-view.js';
import { maxMatrixRuns, renderCasesQuery, withoutMatrixFilters } from './view-state.js';

/** Two to twelve runs in one table. */
export function MatrixPage() {
  const [view, setView] = useMatrixView();
  const { runs } = view;
  const variants = useVariants(runs);
  const cases = useMatrixFigures(runs, renderCasesQuery(view));
  const setRuns = (next: readonly string[]) => setView((now) => ({ ...now, runs: next }));
  const heads = cases.data?.runs;
  const names = heads?.map(({ run_name }) => run_name).join(', ');
  useEffect(() => {
    document.title = names === undefined ? 'Matrix · assay' : `Matrix of ${names} · assay`;
  }, [names]);
  return (
    <>
      <MatrixBar
        runs={runs}
        session={heads?.[0]?.session_name}
        figures={variants.data}
        total={cases.data?.total}
      />
      <main>
        <h1 className="sr">{names === undefined ? 'Matrix' : `Matrix of ${names}`}</h1>
        {runs.includes('latest') ? (
          <ActiveRunNamed />
        ) : runs.length < 2 ? (
          <TooFewRuns runs={runs} most={maxMatrixRuns} onPick={(id) => setRuns([...runs, id])} />
        ) : cases.data ? (
          <MatrixBody figures={cases.data} variants={variants} />
        ) : cases.error ? (
          <Failed runs={runs} error={cases.error} onRetry={cases.refetch} onRuns={setRuns} />
        ) : (
          <Loading what="the matrix" className={styles.loading} />
        )}
      </main>
    </>
  );
}

/** Replaces `latest` in the URL by the id of the active run, because the active run may change. */
function ActiveRunNamed() {
  const [, setView] = useMatrixView();
  const { data: active } = useRun('latest');
  useEffect(() => {
    if (active === undefined) return;
    const idOf = (run: string) => (run === 'latest' ? active.run_id : run);
    setView((now) => ({ ...now, runs: [...new Set(now.runs.map(idOf))] }), { replace: true });
  }, [active, setView]);
  return null;
}

/** Says which of the runs cannot be read, if that is why. */
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
      title="These runs cannot be shown together"
      error={error}
      onRetry={() => void onRetry()}
    />
  );
}

/** Summary, filters, table, and the panel of a case. */
function MatrixBody({
  figures,
  variants,
}: {
  figures: MatrixFigures;
  variants: ReturnType<typeof useVariants>;
}) {
  const [view, setView] = useMatrixView();
  const [place, setPlace] = useState(() => firstPlace(figures.query));
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [shownCase, setShownCase] = useState<MatrixCase>();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const isNarrow = useNarrow();
  const isBeside = useMedia('(min-width: 1200px)');
  const choose = (run: string) =>
    setChosen((now) => (now.includes(run) ? now.filter((id) => id !== run) : [...now, run]));
  const close = () => {
    setPanelOpen(false);
    document
      .querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')
      ?.focus({ preventScroll: true });
  };
  const current = isPanelOpen ? place.run : -1;
  const panel = isPanelOpen && shownCase && (
    <CasePanel
      of={shownCase}
      runs={view.runs}
      names={figures.runs.map(({ run_name }) => run_name)}
      current={place.run}
      onClose={close}
    />
  );
  return (
    <>
      {variants.error && (
        <Banner
          kind="bad"
          end={
            <Button small onClick={() => void variants.refetch()}>
              Try again
            </Button>
          }
        >
          <b>The figures cannot be read.</b> {messageOf(variants.error)}
        </Banner>
      )}
      {variants.data ? (
        <MatrixSummary figures={variants.data} current={current} />
      ) : (
        <div className={styles.awaited} aria-busy />
      )}
      {isNarrow && variants.data && <VariantList runs={variants.data.runs} current={current} />}
      <MatrixFilters figures={figures} chosen={chosen} runs={view.runs} />
      {figures.filtered === 0 ? (
        <Empty
          title={figures.total === 0 ? 'There is nothing in these runs' : 'No case matches'}
          actions={
            figures.total > 0 && (
              <Button look="primary" onClick={() => setView(withoutMatrixFilters)}>
                Clear filters
              </Button>
            )
          }
        >
          {figures.total > 0 && <p>{counted(figures.total, 'case')} without these filters.</p>}
        </Empty>
      ) : (
        <div className={panel && isBeside ? styles.beside : styles.alone}>
          <MatrixTable
            figures={figures}
            head={{ runs: figures.runs, variants: variants.data?.runs, chosen, onChoose: choose }}
            place={place}
            setPlace={setPlace}
            onCase={setShownCase}
            isPanelOpen={isPanelOpen}
            setPanelOpen={setPanelOpen}
          />
          {panel}
        </div>
      )}
    </>
  );
}
