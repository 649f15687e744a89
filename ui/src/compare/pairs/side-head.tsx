import { Fragment } from 'react';
import { Link } from 'wouter';
import type { ScoreChip as ChipFigures, Score, TableRow } from '../../api/schema.js';
import { figure, seconds } from '../../components/figures.js';
import { ScoreChip, scoreRank, TrialsChip, trialsRank } from '../../components/score-chip.js';
import { standingText } from '../../components/standing.js';
import { StatusIcon } from '../../components/status-icon.js';
import { type ChipShape, fitChips } from '../../dashboard/table/fit-chips.js';
import { letterOf } from '../letters.js';
import { signedSeconds } from '../signed.js';
import styles from './pair-side.module.css';
import { isNotable, sideLatency, sideStanding } from './pair-words.js';

/** How a side stands, its scores and its latency, on one line. The icon leads to the result. */
export function SideHead({
  runId,
  run,
  row,
  base,
  width,
}: {
  runId: string;
  run: number;
  row: TableRow;
  /** The base, when this is not it. */
  base: TableRow | null;
  /** Pixels of the column. */
  width: number;
}) {
  const standing = sideStanding(row);
  const { fold } = row;
  return (
    <div className={styles.head}>
      <Link
        href={resultHref(runId, row.index)}
        className={styles.link}
        title="Open the result"
        tabIndex={-1}
      >
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
      </Link>
      <Chips row={row} room={width - (fold ? 190 : 130)} />
      <Latency own={sideLatency(row)} base={sideLatency(base)} />
    </div>
  );
}

/** Where a result is shown. */
export function resultHref(run: string, index: number): string {
  return `/runs/${encodeURIComponent(run)}/results/${index}`;
}

function Chips({ row: { fold, scores }, room }: { row: TableRow; room: number }) {
  const chips = fold
    ? fold.chips
        .toSorted((one, two) => trialsRank(one) - trialsRank(two))
        .map((chip) => ({
          key: chip.key,
          shape: trialsShape(chip),
          chip: <TrialsChip chip={chip} />,
        }))
    : scores
        .toSorted((one, two) => scoreRank(one) - scoreRank(two))
        // A key may come twice.
        .map((score, n) => ({
          key: `${score.key} ${n}`,
          shape: scoreShape(score),
          chip: <ScoreChip score={score} />,
        }));
  const fitting = fitChips(
    chips.map(({ shape }) => shape),
    room,
  );
  const hidden = chips.slice(fitting);
  return (
    <span className={styles.chips}>
      {chips.slice(0, fitting).map(({ key, chip }) => (
        <Fragment key={key}>{chip}</Fragment>
      ))}
      {hidden.length > 0 && (
        <span className={styles.rest} title={hidden.map(({ shape }) => shape.text).join(', ')}>
          +{hidden.length}
        </span>
      )}
    </span>
  );
}

function scoreShape({ key, passed, value, source }: Score): ChipShape {
  const text = value === undefined ? key : `${key} ${figure(value)}`;
  const icons = (passed === undefined ? 0 : 1) + (source === 'human' ? 1 : 0);
  return { text, icons };
}

function trialsShape(chip: ChipFigures): ChipShape {
  const { key } = chip;
  if (chip.type === 'avg') return { text: `${key} ${figure(chip.avg)}`, icons: 0 };
  const isMixed = chip.passed > 0 && chip.passed < chip.total;
  const text = isMixed ? `${key} ${chip.passed}/${chip.total}` : key;
  return { text, icons: 1 };
}

function Latency({ own, base }: { own: number | null; base: number | null }) {
  if (own === null) return null;
  const difference = base === null ? undefined : own - base;
  const isMarked = base !== null && difference !== undefined && isNotable(base, difference);
  const isSlower = (difference ?? 0) > 0;
  return (
    <span className={styles.latency}>
      {seconds(own)}
      {difference !== undefined && (
        <em className={isMarked ? (isSlower ? styles.slower : styles.faster) : undefined}>
          {' '}
          {isMarked && (isSlower ? '▲ ' : '▼ ')}
          {signedSeconds(difference)}
        </em>
      )}
    </span>
  );
}
