import { hasCalls } from '../../../../../src/model/calls/run-usage.js';
import { usageHint } from '../../../../../src/text/usage-text.js';
import type { Fold, SearchHit, TableRow } from '../../../api/schema.js';
import { classNames } from '../../../components/class-names.js';
import { usageFigure } from '../../../components/figures/cost-text.js';
import { isSlow, seconds } from '../../../components/figures/figures.js';
import { StatusIcon } from '../../../components/icons/status-icon.js';
import { ErrorText } from '../../../components/messages/error-text.js';
import { rowLatency } from '../../../components/runs/row-latency.js';
import { ScoreChips } from '../../../components/scores/score-chips.js';
import { type CaseStanding, standingText } from '../../../components/scores/standing.js';
import { hitPlaces } from '../../filters/found-line.js';
import { type ColumnId, fieldOf, isAdded, isUsageColumn, scoreOf } from '../columns/columns.js';
import styles from '../rows/table-row.module.css';
import { Cell } from './cell.js';
import { rowStanding } from './row-standing.js';
import { ScoreColumnCell } from './score-cell.js';

const given = classNames(styles.data, styles.given);
const error = classNames(styles.data, styles.error);
const note = classNames(styles.data, styles.note);

/** The cells of the columns that can be hidden and moved. */
export function Cells({
  row,
  columns,
  chipRoom,
  p95,
  isTrial,
}: {
  row: TableRow;
  columns: readonly ColumnId[];
  /** Pixels the chips may take. */
  chipRoom: number;
  p95: number | null;
  isTrial: boolean;
}) {
  const fields = columns.filter((id) => fieldOf(id) !== undefined);
  return columns.map((id) => {
    const score = scoreOf(id);
    if (score !== undefined) return <ScoreColumnCell key={id} row={row} scoreKey={score} />;
    if (isAdded(id)) {
      return (
        <Cell key={id} id={id} className={given}>
          {row.fields?.[fields.indexOf(id)]}
        </Cell>
      );
    }
    if (id === 'output') return <OutputCell key={id} row={row} />;
    if (id === 'latency') return <LatencyCell key={id} row={row} p95={p95} />;
    if (isUsageColumn(id)) {
      const usage = row.fold ? row.fold.usage : row.usage;
      const isUnknown = id === 'cost' && usage?.cost === null;
      return (
        <Cell
          key={id}
          id={id}
          className={classNames(styles.figure, isUnknown && styles.unknown)}
          title={usageHint(usage)}
        >
          {hasCalls(usage) && usageFigure(id, usage)}
        </Cell>
      );
    }
    if (id === 'scores') {
      return (
        <Cell key={id} id={id} className={styles.chips}>
          <ScoreChips row={row} width={chipRoom} />
        </Cell>
      );
    }
    if (id === 'error') {
      return (
        <Cell key={id} id={id} className={error}>
          <ErrorText text={row.error} />
        </Cell>
      );
    }
    return (
      <Cell key={id} id={id} className={given}>
        {/* The trials of an evaluation are all given the same. */}
        {!isTrial && <Value text={row[id]} />}
      </Cell>
    );
  });
}

function LatencyCell({ row, p95 }: { row: TableRow; p95: number | null }) {
  const latency = rowLatency(row);
  const isNumber = typeof latency === 'number';
  return (
    <Cell
      id="latency"
      className={classNames(
        styles.latency,
        isNumber && isSlow(latency, p95) && styles.slow,
        row.origin?.kind === 'carried' && row.fold === undefined && 'faint',
      )}
    >
      {latency === 'replayed' && <small>replayed</small>}
      {isNumber && seconds(latency)}
      {/* Where no table head has it. */}
      {isNumber && <span className={styles.unit}> s</span>}
    </Cell>
  );
}

/** Maximum number of trials drawn individually. */
const maxPips = 12;

const waiting: readonly CaseStanding[] = ['running', 'pending', 'cancelled', 'not_started'];

/** Where the result says what is searched for. */
function HitCell({ hit: { in: place, of, before, match, after } }: { hit: SearchHit }) {
  const name = hitPlaces[place];
  const source = of === undefined ? name : `${name} of ${of}`;
  return (
    <Cell id="output" className={styles.data}>
      <span className={styles.place} title={source}>
        {source}
      </span>{' '}
      <span className={styles.before}>{before}</span>
      <mark className={styles.match}>{match}</mark>
      {after}
    </Cell>
  );
}

/** Where it says so; else the output, the error, a summary of the trials, or why there is no output yet. */
function OutputCell({ row }: { row: TableRow }) {
  if (row.found) return <HitCell hit={row.found} />;
  if (row.fold) return <FoldCell fold={row.fold} />;
  const standing = rowStanding(row);
  if (row.status === 'error') {
    return (
      <Cell id="output" className={error}>
        <ErrorText text={row.error} />
      </Cell>
    );
  }
  if (waiting.includes(standing)) {
    return (
      <Cell id="output" className={note}>
        {standing === 'cancelled' ? 'cancelled by stop' : standingText(standing)}
      </Cell>
    );
  }
  return (
    <Cell id="output" className={styles.data}>
      <Value text={row.output} />
    </Cell>
  );
}

/** A value on one line; `none` for a missing one. */
function Value({ text }: { text: string | null }) {
  if (text === null) return <span className="faint">none</span>;
  return text === '' ? <span className="faint">empty</span> : text;
}

/** An icon for each trial if they are few, and a summary. */
function FoldCell({ fold }: { fold: Fold }) {
  const { standings } = fold;
  return (
    <Cell id="output" className={note}>
      {standings.length <= maxPips && (
        <span className={styles.pips}>
          {standings.map((standing, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: trials stay where they are.
            <StatusIcon key={n} standing={standing} size="chip" />
          ))}
        </span>
      )}
      <span className="cut">{foldWords(fold)}</span>
    </Cell>
  );
}

function foldWords({ passed, trials, finished, distinct_outputs: outputs }: Fold): string {
  if (finished < trials) return `${finished} of ${trials} finished`;
  if (outputs > 1) return `${outputs} distinct outputs`;
  if (outputs === 1) return 'one output';
  return passed === trials ? 'all passed' : `${passed} of ${trials} passed`;
}
