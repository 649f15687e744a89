import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { getResult, getRun, type ReadResult } from '../api/client.js';
import { keys } from '../api/keys.js';
import { isNotFound } from '../api/problem.js';
import { useResult, useSettingsFile } from '../api/queries.js';
import { useShortcut } from '../app/shortcuts.js';
import { buttonClass } from '../components/controls/button.js';
import { copyText } from '../components/controls/copy-button.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import { LoadingShapes } from '../components/messages/loading-shapes.js';
import { NoSuchRun } from '../components/runs/no-such-run.js';
import { FilteredRun } from '../dashboard/filters/filter-link.js';
import { defaultView, type View } from '../dashboard/view-state.js';
import { resultAddress, tableAddress, viewOfResult } from './addresses.js';
import { caseText } from './case-text.js';
import { useEditor } from './error/source-link.js';
import { useNavigation, useWayBack, type Walk, type WayBack } from './navigation.js';
import { useResultActions } from './result-actions.js';
import { EmptyBar, ResultBar, SlimBar } from './result-bar.js';
import { ResultBody } from './result-body.js';
import body from './result-body.module.css';
import { ResultHead } from './result-head.js';
import styles from './result-page.module.css';

/** The page of one result. `index`: as in the URL, may be invalid. */
export function ResultPage({ runId, index }: { runId: string; index: string }) {
  const search = useSearch();
  const view = useMemo(() => viewOfResult(runId, search), [runId, search]);
  const isIndex = /^(?:0|[1-9]\d{0,8})$/.test(index);
  return isIndex ? (
    <KnownIndex run={runId} index={Number(index)} view={view} />
  ) : (
    <Nowhere view={view}>
      <MissingResult run={runId} index={index} view={view} />
    </Nowhere>
  );
}

function KnownIndex({ run, index, view }: { run: string; index: number; view: View }) {
  const { data: page, error, refetch } = useResult(run, index);
  const [, navigate] = useLocation();
  // Put the run into the URL: the active run may change.
  useEffect(() => {
    if (run !== 'latest' || page === undefined) return;
    navigate(resultAddress(view, page.run_id, index), { replace: true });
  }, [run, page, index, view, navigate]);
  // The result may have been deleted since it was read.
  if (error === null || (page !== undefined && !isNotFound(error))) {
    return <Walked run={page?.run_id ?? run} index={index} page={page} view={view} />;
  }
  return (
    <Nowhere view={view}>
      {isNotFound(error) ? (
        <MissingResult run={run} index={String(index)} view={view} />
      ) : (
        <Unreadable
          isPage
          title="This result cannot be read"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
    </Nowhere>
  );
}

/** Previous, next and back work while the result is loading: `page` is absent until then. */
function Walked({
  run,
  index,
  page,
  view,
}: {
  run: string;
  index: number;
  page: ReadResult | undefined;
  view: View;
}) {
  const walk = useNavigation(run, index, view);
  return page === undefined ? (
    <ResultLoading back={walk.back} />
  ) : (
    <Shown page={page} walk={walk} />
  );
}

/** `page`: the result of the URL, or the previous one while it is loading. */
function Shown({ page, walk }: { page: ReadResult; walk: Walk }) {
  const actions = useResultActions(page, walk);
  const main = useRef<HTMLElement>(null);
  const values = useRef<HTMLDivElement>(null);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const { function: name, trial } = page.result;
  useCaseCommands(page);
  useEffect(() => {
    const title = trial === undefined ? name : `${name}~${trial}`;
    document.title = `${title} · ${page.run_name} · assay`;
  }, [name, trial, page.run_name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every result is read from its start
  useEffect(() => {
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [page.index]);
  return (
    <FilteredRun value={page.run_id}>
      <ResultBar page={page} walk={walk} actions={actions} />
      <SlimBar
        page={page}
        values={values}
        walk={walk}
        actions={actions}
        onScores={() => setSheetOpen(true)}
      />
      <main ref={main} tabIndex={-1} className={styles.main}>
        <ResultHead page={page} walk={walk} />
        <ResultBody
          key={`${page.run_id} ${page.index}`}
          page={page}
          values={values}
          walk={walk}
          sheet={{ isOpen: isSheetOpen, setOpen: setSheetOpen }}
          onRun={actions.canRun ? actions.rerun : undefined}
        />
      </main>
    </FilteredRun>
  );
}

/** What the palette offers for a case: its code, and its file. */
function useCaseCommands({ result: { function: name, id, result } }: ReadResult): void {
  const { data: project } = useSettingsFile();
  const editor = useEditor();
  const [file = ''] = id.split('::');
  const isFile = id.includes('::');
  useShortcut('copyCase', () => void copyText(caseText(name, result), 'The case'));
  useShortcut(
    'copyPath',
    () => void copyText(`${project?.folder}/${file}`, 'The path'),
    isFile && project !== undefined,
  );
  useShortcut(
    'openFile',
    () => location.assign(editor?.({ file, line: 1, column: 1 }) ?? ''),
    isFile && editor !== undefined,
  );
}

/** The top bar, and the shapes of title, values and scores, of a result that is being read. */
function ResultLoading({ back }: { back: WayBack }) {
  return (
    <>
      <EmptyBar back={back} />
      <main>
        <h1 className="sr">Result</h1>
        <LoadingShapes what="the result">
          <div className={styles.head}>
            <i />
            <i />
          </div>
          <div className={body.columns}>
            <div className={body.main}>
              <div className={styles.text} />
              <div className={styles.text} />
            </div>
            <div className={styles.scores} />
          </div>
        </LoadingShapes>
      </main>
    </>
  );
}

function Nowhere({ view, children }: { view: View; children: ReactNode }) {
  const [, navigate] = useLocation();
  const back = useWayBack(view);
  useShortcut('back', () => navigate(back.href));
  useEffect(() => {
    document.title = 'No result · assay';
  }, []);
  return (
    <>
      <EmptyBar back={back} />
      <main>{children}</main>
    </>
  );
}

/** Says that the result, or its run, does not exist. */
function MissingResult({ run, index, view }: { run: string; index: string; view: View }) {
  const [, navigate] = useLocation();
  const { data: facts, isPending } = useQuery({
    queryKey: [...keys.results(run), 'whether there are any'],
    queryFn: ({ signal }) => readFacts(run, signal),
  });
  if (isPending) return null;
  if (!facts) {
    return (
      <NoSuchRun
        names={[run]}
        actions={
          <Link href="/" className={buttonClass({ look: 'primary' })}>
            Open the dashboard
          </Link>
        }
        onPick={(id) => navigate(tableAddress({ ...defaultView, run: id }))}
      />
    );
  }
  const { name, total } = facts;
  return (
    <Empty
      isPage
      title={
        <span>
          No result <code>{index}</code> in {name}
        </span>
      }
      actions={
        <>
          <Link href={tableAddress(view)} className={buttonClass({ look: 'primary' })}>
            Open {name}
          </Link>
          <Link href="/" className={buttonClass({ look: 'ghost' })}>
            Open the dashboard
          </Link>
        </>
      }
    >
      <p>
        {total === 0
          ? 'The run has no results.'
          : total === 1
            ? 'The run has one result, 0.'
            : `The run has results 0 to ${total - 1}.`}{' '}
        It may be the link of another run.
      </p>
    </Empty>
  );
}

/** Name and size of a run; `null` if it does not exist. Reads its first result, and the run only if there is none. */
async function readFacts(run: string, signal: AbortSignal) {
  try {
    const { run_name: name, total } = await getResult(run, 0, signal);
    return { name, total };
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  try {
    const { run_name: name, total_evaluations: total } = await getRun(run, signal);
    return { name, total };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
