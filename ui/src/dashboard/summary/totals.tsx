import { differingParams } from '../../../../src/model/param-text.js';
import { mixedTexts } from '../../../../src/text/mixed-text.js';
import { gradingNoiseText, repeatsNote } from '../../../../src/text/repeats-text.js';
import { useRun, useSessionRuns } from '../../api/queries.js';
import type { RowSummary } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { count, counted, rateText } from '../../components/figures/figures.js';
import { codeVersionsText } from '../../components/runs/code-versions.js';
import { standingText } from '../../components/scores/standing.js';
import { paramText } from '../../matrix/params.js';
import { useFigures, useShown } from '../dashboard-state.js';
import { useFilter, useView } from '../use-view.js';
import { isFiltered } from '../view-state.js';
import { Counters, Rate, Stack, useIsGoing } from './counts.js';
import styles from './totals.module.css';

/** The pass rate and the counts by status; a click on a count filters by it. */
export function Totals() {
  const { run } = useShown();
  return (
    <div className={styles.totals}>
      <Rate />
      <Stack />
      <Counters />
      <Foot />
      <Params />
      <RepeatsNote />
      <MixedNotes />
      {run.grading_noise?.map((noise) => (
        <p
          key={noise.key}
          className={styles.foot}
          title="Its code has not changed: this is the noise of a judge."
        >
          {gradingNoiseText(noise)}
        </p>
      ))}
      <CodeVersionsNote />
    </div>
  );
}

function Foot() {
  const [view] = useView();
  const isGoing = useIsGoing();
  const { filtered, total, summary } = useFigures();
  const { trials } = summary;
  const {
    cases,
    clusters,
    functions,
    pruned,
    unfinished,
    no_verdict: withoutVerdict,
  } = summary.counts;
  const isPart = isFiltered(view);
  // Until all is done, it is a part.
  const shown = isGoing && !isPart ? filtered - unfinished : filtered;
  return (
    <p className={styles.foot}>
      <b>{count(shown)}</b>
      {isPart || isGoing ? ` of ${counted(total, 'result')}` : total === 1 ? ' result' : ' results'}
      {isGoing && withoutVerdict > 0 && (
        <>
          , <b>{count(withoutVerdict)}</b> {standingText('no_verdict')}
        </>
      )}
      {pruned > 0 && (
        <>
          , <b>{count(pruned)}</b> pruned
        </>
      )}
      {cases < filtered && (
        <>
          , <b>{count(cases)}</b> {cases === 1 ? 'case' : 'cases'}
        </>
      )}
      {clusters !== undefined && (
        <>
          {' '}
          in <b>{count(clusters)}</b> {clusters === 1 ? 'cluster' : 'clusters'}
        </>
      )}
      {unfinished > 0 ? (
        !isGoing && (
          <>
            , <b>{count(unfinished)}</b> unfinished
          </>
        )
      ) : (
        <span className={styles.optional}>
          , <b>{count(functions)}</b> {functions === 1 ? 'evaluation' : 'evaluations'}
        </span>
      )}
      {trials && unfinished < summary.counts.results && (
        <>
          ,<br className={styles.optional} />{' '}
          <TrialFigures trials={trials} isGraded={summary.counts.pass_rate !== null} />
        </>
      )}
      {(summary.flaky ?? 0) > 0 && (
        <>
          , <b>{count(summary.flaky ?? 0)}</b> flaky
        </>
      )}
    </p>
  );
}

/** Params that are shown; the others are in a tooltip. */
const mostParams = 8;

/**
 * The params in effect. Those that the run before in the session has with another value, or not at all, are bold and come
 * first.
 */
function Params() {
  const { run } = useShown();
  const { params = {} } = run;
  const { data: runs = [] } = useSessionRuns(run.session_name);
  const at = runs.findIndex(({ run_id }) => run_id === run.run_id);
  const before = at < 0 ? undefined : runs[at + 1]?.run_id;
  // Nothing differs from the run itself.
  const { data: base = run } = useRun(before ?? run.run_id);
  const changed = new Set(differingParams([run, base]));
  const names = Object.keys(params).sort((a, b) => Number(changed.has(b)) - Number(changed.has(a)));
  if (names.length === 0) return null;
  const textOf = (name: string) => `${name}: ${paramText(params[name])}`;
  const others = names.slice(mostParams);
  return (
    <p className={classNames(styles.foot, styles.params)}>
      {names.slice(0, mostParams).map((name) =>
        changed.has(name) ? (
          <span
            key={name}
            className="cut"
            title={`${textOf(name)}; ${paramText(base.params?.[name])} in ${base.run_name}`}
          >
            {name} <b>{paramText(params[name])}</b>
          </span>
        ) : (
          <span key={name} className="cut" title={textOf(name)}>
            {name} {paramText(params[name])}
          </span>
        ),
      )}
      {others.length > 0 && (
        <span title={others.map(textOf).join('\n')}>{count(others.length)} more</span>
      )}
    </p>
  );
}

/** The note that results ran again outside of a pass, which the pass rate does not count. */
function RepeatsNote() {
  const { run } = useShown();
  const note = repeatsNote({ ...run, totals: run });
  if (note === undefined) return null;
  return (
    <p
      className={styles.foot}
      title="The pass rate counts the attempts of the last pass: results that were chosen by their outcome would raise it by chance. Run all, or what has changed, for a new rate."
    >
      {note}
    </p>
  );
}

/** The notes that some results are not of the same system as the others. */
function MixedNotes() {
  const { run } = useShown();
  return mixedTexts({ mixed: run.mixed, totals: run }, run.run_id).map(({ text, mend }) => (
    <p key={text} className={styles.foot} title={`No gate judges such a rate: ${mend}.`}>
      {text}
    </p>
  ));
}

/** The note that a run has results of several code versions; a click filters by the older ones. */
function CodeVersionsNote() {
  const { run } = useShown();
  const { isIn, toggle } = useFilter('code');
  const text = codeVersionsText(run.code_versions);
  if (text === undefined) return null;
  return (
    <button
      type="button"
      className={styles.note}
      aria-pressed={isIn('older')}
      title="Show results that older code has graded"
      onClick={() => toggle('older')}
    >
      results of {text}
    </button>
  );
}

type Trials = NonNullable<RowSummary['trials']>;

type AtK = Trials['trial_statistics']['by_k'][number];

/** pass@k and pass^k of the cases in the view. */
function TrialFigures({ trials, isGraded }: { trials: Trials; isGraded: boolean }) {
  const { flaky, by_k } = trials.trial_statistics;
  const most = by_k.at(-1);
  if (!isGraded || most === undefined) {
    return (
      <>
        <b>pass@{trials.trials}</b> – no verdict
      </>
    );
  }
  return (
    <>
      <span title={by_k.map(hintOf).join('\n')}>
        <b>pass@{most.k}</b> {rateText(most.pass_at.estimate)}, <b>pass^{most.k}</b>{' '}
        {rateText(most.pass_all.estimate)}
        {ofText(most)}
      </span>
      , <b>{count(flaky)}</b> flaky
    </>
  );
}

/** Number of cases with at least k judged trials, which both figures cover. */
function ofText({ n }: AtK): string {
  return ` of ${counted(n, 'case')}`;
}

/** `pass@3 67 % (9 cases), pass^3 33 %`, for a hint. */
function hintOf(at: AtK): string {
  const { k, pass_at, pass_all } = at;
  return `pass@${k} ${rateText(pass_at.estimate)}, pass^${k} ${rateText(pass_all.estimate)}${ofText(at)}`;
}
