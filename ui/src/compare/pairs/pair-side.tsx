import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/problem.js';
import { useResult } from '../../api/queries.js';
import type { Pair, TableRow } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { count, duration, signed } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { ErrorText } from '../../components/messages/error-text.js';
import { originText } from '../../components/runs/origin-text.js';
import { type RowLatency, rowLatency } from '../../components/runs/row-latency.js';
import { ScoreChips } from '../../components/scores/score-chips.js';
import { standingText } from '../../components/scores/standing.js';
import { GradeLine } from '../../result/scores/grading.js';
import { letterOf } from '../letters.js';
import { RunTag, runColor } from '../run-tag.js';
import { DiffText } from './diff-text.js';
import { OutputDifference } from './output-difference.js';
import styles from './pair-side.module.css';
import {
  alikeBase,
  hasFinished,
  isNotable,
  outputNote,
  type SideOfPair,
  sideStanding,
  trialText,
} from './pair-words.js';
import { ResultLink } from './result-link.js';

/** How pairs are shown, the same for all of them. */
export interface PairLook {
  readonly runIds: readonly string[];
  readonly hasDiff: boolean;
  /** Ids of cases that are worse beyond chance on their own, which requires trials. */
  readonly worse: ReadonlySet<string>;
  /** Width of a run's column in pixels. */
  readonly width: number;
  /** Runs are below each other, and the name takes one line. */
  readonly isStacked: boolean;
}

/** A case in a run that has it, and the same trial in the base, unless this is the base. */
interface ShownSide {
  /** Position of the run. */
  readonly run: number;
  readonly side: SideOfPair & { readonly row: TableRow };
  /** Where the outputs of the pair differ, if that is known. */
  readonly difference: Pair['output_difference'];
  readonly base: TableRow | null;
  readonly look: PairLook;
}

/** A case in one run: its status, and how its output differs from the base. */
export function PairSide({
  pair,
  run,
  look,
  isOpen,
  isGraded,
}: {
  pair: Pair;
  run: number;
  look: PairLook;
  isOpen: boolean;
  /** Keys grade this side. */
  isGraded: boolean;
}) {
  const side = pair.runs[run];
  const runId = look.runIds[run] ?? '';
  if (side === undefined || side.row === null) {
    return (
      <div className={classNames(styles.side, runColor(run), styles.absent)} role="gridcell">
        <SideLetter run={run} />
        not in this run
      </div>
    );
  }
  const { row } = side;
  const against = run === 0 ? null : (pair.runs[0]?.row ?? null);
  const shown = {
    run,
    side: { ...side, row },
    difference: pair.output_difference,
    base: against && alikeBase(against, row),
    look,
  };
  return (
    <div className={classNames(styles.side, runColor(run))} role="gridcell" data-run={run}>
      <SideLetter run={run} />
      <SideHead runId={runId} run={run} row={row} base={against} width={look.width} />
      {isOpen && hasFinished(row) ? <OpenedSide {...shown} runId={runId} /> : <Output {...shown} />}
      {isGraded && hasFinished(row) && (
        <GradeLine run={runId} index={row.index} first={side.moved_scores} />
      )}
    </div>
  );
}

/** Where runs are below each other, no head of a column says which this is. */
function SideLetter({ run }: { run: number }) {
  return (
    <span className={styles.letter}>
      <RunTag run={run} />
    </span>
  );
}

function Output({ run, side, difference, base, look: { hasDiff } }: ShownSide) {
  const { row } = side;
  const { output, error } = row;
  const trial = <TrialMark row={row} />;
  const said = (className: string | undefined, content: ReactNode) => (
    <p className={className}>
      {trial}
      {content}
    </p>
  );
  if (!hasFinished(row)) return <p className={styles.note}>{standingText(sideStanding(row))}</p>;
  if (error !== null) {
    return said(classNames(styles.output, styles.error), <ErrorText text={error} />);
  }
  if (output === null) return <p className={styles.note}>no output</p>;
  const note = outputNote(base, side);
  if (note !== undefined && hasDiff) return said(styles.note, note);
  const before = base?.error === null ? base.output : null;
  if (!hasDiff) return said(styles.output, output);
  if (difference !== undefined && (run === 0 || before !== null)) {
    return <OutputDifference difference={difference} run={run} output={output} trial={trial} />;
  }
  if (before === null) return said(styles.output, output);
  if (before !== output) {
    const cut = { base: base?.cut.includes('output') ?? false, other: row.cut.includes('output') };
    return said(styles.output, <DiffText base={before} text={output} cut={cut} isShort />);
  }
  // Both are truncated, and equal as far as they go.
  return (
    <>
      {said(styles.output, output)}
      {side.change === 'changed' && !side.same_output && (
        <p className={styles.note}>differs further on</p>
      )}
    </>
  );
}

/** Below this width, in pixels, chips have a line of their own: of a result, and of trials, whose number takes room. */
const narrowSide = { result: 240, trials: 320 };

/** The status, scores and latency of a side on one line. The icon links to the result. */
function SideHead({
  runId,
  run,
  row,
  base,
  width,
}: {
  runId: string;
  run: number;
  row: TableRow;
  /** The base, unless this is the base. */
  base: TableRow | null;
  /** Width of the column in pixels. */
  width: number;
}) {
  const standing = sideStanding(row);
  const { fold } = row;
  const isNarrow = width < narrowSide[fold ? 'trials' : 'result'];
  const room = isNarrow ? width : width - (fold ? 190 : 130);
  return (
    <div className={classNames(styles.head, isNarrow && styles.narrow)}>
      <ResultLink run={runId} index={row.index} className={styles.link} title="Open the result">
        <span className="sr">
          Result of {row.function} in {letterOf(run)}:{' '}
        </span>
        <StatusIcon standing={standing} label={fold ? null : standingText(standing)} />
        {fold && (
          <span className={standing === 'flaky' ? styles.flaky : styles.trials}>
            {fold.passed}/{fold.trials}
            {standing === 'flaky' ? ' flaky' : <span className="sr"> passed</span>}
          </span>
        )}
      </ResultLink>
      {row.origin && fold === undefined && (
        <small className="faint" title={originText(row.origin)}>
          {row.origin.kind}
          <span className="sr"> from {row.origin.run_name}</span>
        </small>
      )}
      <span className={styles.chips}>
        <ScoreChips row={row} width={room} />
      </span>
      <Latency own={rowLatency(row)} base={base && rowLatency(base)} />
    </div>
  );
}

function Latency({ own, base }: { own: RowLatency; base: RowLatency }) {
  if (own === null) return null;
  if (own === 'replayed') return <small className="faint">replayed</small>;
  const difference = typeof base === 'number' ? own - base : undefined;
  const isMarked =
    typeof base === 'number' && difference !== undefined && isNotable(base, difference);
  return (
    <span className={styles.latency}>
      {duration(own)}
      {difference !== undefined && (
        <em className={isMarked ? styles.notable : undefined}>
          {' '}
          {difference === 0 ? '±0' : signed(difference, 'seconds')}
        </em>
      )}
    </span>
  );
}

/** Characters of an output that are shown initially. */
const shownAtFirst = 20_000;

/** The complete output of a side compared with the base, the notes of its scores, and its trials. */
function OpenedSide({
  runId,
  side: { row, indices },
  base,
  look: { runIds, hasDiff },
}: ShownSide & { runId: string }) {
  const [isWhole, setWhole] = useState(false);
  const own = useResult(runId, row.index);
  // Without a base, this is the same request as the other one, and is not repeated.
  const other = useResult(base ? (runIds[0] ?? '') : runId, (base ?? row).index);
  const result = own.data?.index === row.index ? own.data.result.result : undefined;
  const error = own.error ?? other.error;
  if (error && result === undefined) {
    return <p className={styles.note}>{messageOf(error)}</p>;
  }
  const text = result === undefined ? row.output : valueText(result.output);
  const baseResult =
    base !== null && other.data?.index === base.index ? other.data.result.result : undefined;
  const before = baseResult?.error === null ? valueText(baseResult.output) : null;
  const isLong = text !== null && text.length > shownAtFirst && !isWhole;
  const shown = isLong ? text.slice(0, shownAtFirst) : text;
  return (
    <>
      {row.error !== null ? (
        <p className={classNames(styles.output, styles.open, styles.error)}>
          <TrialMark row={row} />
          {result?.error ?? row.error}
        </p>
      ) : shown === null ? (
        <p className={styles.note}>no output</p>
      ) : (
        <p className={classNames(styles.output, styles.open)}>
          <TrialMark row={row} />
          {hasDiff && before !== null && before !== text ? (
            <DiffText base={isLong ? before.slice(0, shownAtFirst) : before} text={shown} />
          ) : (
            shown
          )}
        </p>
      )}
      {hasDiff && before !== null && before === text && (
        <p className={styles.note}>
          {row.fold ? 'same output as A in this trial' : 'same output as A'}
        </p>
      )}
      {isLong && (
        <button
          type="button"
          className={classNames('link', styles.more)}
          onClick={() => setWhole(true)}
        >
          Show all {count(text.length)} characters
        </button>
      )}
      {result?.scores
        .filter(({ notes }) => notes)
        .map(({ key, notes }) => (
          <p key={key} className={styles.note}>
            {key}: {notes}
          </p>
        ))}
      {row.fold && <Trials runId={runId} row={row} fold={row.fold} indices={indices} />}
      {row.fold === undefined && (
        <ResultLink run={runId} index={row.index} className={styles.more}>
          Open the result
        </ResultLink>
      )}
    </>
  );
}

function Trials({
  runId,
  row,
  fold,
  indices,
}: {
  runId: string;
  /** The visible trial. */
  row: TableRow;
  fold: NonNullable<TableRow['fold']>;
  indices: readonly number[];
}) {
  return (
    <div className={styles.strip}>
      {indices.map((index) => {
        const standing = fold.standings[fold.indices.indexOf(index)] ?? 'no_verdict';
        const words = `Trial ${indices.indexOf(index) + 1}: ${standingText(standing)}`;
        return (
          <ResultLink
            key={index}
            run={runId}
            index={index}
            title={words}
            aria-label={words}
            aria-current={index === row.index ? 'true' : undefined}
          >
            <StatusIcon standing={standing} size="chip" label={null} />
          </ResultLink>
        );
      })}
    </div>
  );
}

/** Names the trial that is shown, if there are several. */
function TrialMark({ row }: { row: TableRow }) {
  const text = trialText(row);
  return text === undefined ? null : <span className={styles.trial}>{text} </span>;
}

/** A value as text for comparison: strings unchanged, anything else as indented JSON. */
function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
