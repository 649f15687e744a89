import { Fragment, type ReactNode, useState } from 'react';
import type { ChangeCounts } from '../../../../src/compare/cases/change.js';
import { driftNotes, regradeCommand } from '../../../../src/text/judge-drift-text.js';
import type { AgainstBase, PairPage, RunComparison, RunHead } from '../../api/schema.js';
import { useShortcut } from '../../app/shortcuts.js';
import { useMedia } from '../../browser/use-media.js';
import { useStoredFlag } from '../../browser/use-stored-flag.js';
import { classNames } from '../../components/class-names.js';
import { CopyButton } from '../../components/controls/copy-button.js';
import { chanceText, differenceText } from '../../components/figures/difference-text.js';
import { count, counted } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { noChoice } from '../../dashboard/view-state.js';
import { type ChangeGroup, changeGroups } from '../changes.js';
import { letterOf } from '../letters.js';
import { RunTag } from '../run-tag.js';
import { useCompareView } from '../use-compare-view.js';
import { hasCell, isFilteredComparison, toggleCell } from '../view-state.js';
import { LatencyRanges, UsageRows } from './amount-rows.js';
import styles from './compare-summary.module.css';
import { DifferencesDialog } from './differences-dialog.js';
import { GroupedBars } from './grouped-bars.js';
import { awaitedMeasures, measuresOf } from './measures.js';
import { RunRows } from './run-rows.js';
import {
  amountsText,
  carriedNote,
  clearScores,
  detectableText,
  hasMoved,
  lostNotes,
  manyMovedText,
  noPairsText,
  noVerdictText,
  passRateText,
} from './words.js';

/** The figures of the runs and their differences, with placeholders until they are loaded. */
export function CompareSummary({
  runs,
  comparison,
  changes,
  identical,
  scores,
}: {
  runs: readonly RunHead[];
  comparison: RunComparison | undefined;
  changes: PairPage['changes'] | undefined;
  /** The number of pairs, if none has another output, verdict or score; else 0. */
  identical: number;
  /** Keys of the scores of any of the runs. */
  scores: readonly string[];
}) {
  const measures = comparison ? measuresOf(comparison) : awaitedMeasures(runs.length, scores);
  const isStacked = useMedia('(max-width: 1100px)');
  const [isUnfolded, setUnfolded] = useStoredFlag('comparison', false);
  const hasDetails = !isStacked || isUnfolded;
  // Kept here, because a narrower window folds what opens it.
  const [isAsked, setAsked] = useState(false);
  useShortcut('differences', () => setAsked(true), comparison !== undefined);
  return (
    <section className={styles.summary} aria-label="Summary" aria-busy={comparison === undefined}>
      <div>
        <RunRows runs={runs} figures={comparison?.runs} />
        {identical > 0 && (
          <p className={styles.identical}>
            <Icon name="check" small />
            <span>
              <b>The results are identical:</b> {counted(identical, 'pair')}, all with the same
              output, verdicts and scores.
            </span>
          </p>
        )}
        {!isStacked && identical === 0 && changes && <ChangeMatrix changes={changes} />}
      </div>
      {isStacked && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <Icon name={isUnfolded ? 'down' : 'right'} small />
          Scores, changes, latency
          {changes && !isUnfolded && <MovedCounts changes={changes} />}
        </button>
      )}
      {isStacked && isUnfolded && changes && <ChangeMatrix changes={changes} />}
      {(hasDetails || comparison) && (
        <GroupedBars
          runs={runs.length}
          measures={measures}
          isBrief={!hasDetails}
          onAsk={() => setAsked(true)}
        />
      )}
      {hasDetails && (
        <div
          className={classNames(comparison === undefined && styles.awaited)}
          style={{ '--runs': runs.length } as object}
        >
          {comparison && <LatencyRanges comparison={comparison} />}
          {comparison && <UsageRows comparison={comparison} />}
          {comparison && <InWords comparison={comparison} />}
        </div>
      )}
      {comparison && (
        <DifferencesDialog
          comparison={comparison}
          isOpen={isAsked}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  );
}

/** Number of regressed and fixed pairs in each run. */
function MovedCounts({ changes }: { changes: PairPage['changes'] }) {
  const first = changes.findIndex((counts) => counts !== null);
  return (
    <span className={styles.counts}>
      {changes.map(
        (counts, run) =>
          counts !== null && (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
            <span key={run}>
              <RunTag run={run} small />
              {/* Said once; the others follow it. */}
              <span>
                <b>{count(counts.regressed)}</b>
                <span className={run > first ? 'sr' : undefined}> regressed</span>,{' '}
                <b>{count(counts.fixed)}</b>
                <span className={run > first ? 'sr' : undefined}> fixed</span>
              </span>
            </span>
          ),
      )}
    </span>
  );
}

/** The number of cases per change and run. A click on a number filters by it. */
function ChangeMatrix({ changes }: { changes: readonly (ChangeCounts | null)[] }) {
  const [view, setView] = useCompareView();
  // All counts here are over the pairs that the change filter selects from.
  const isPart = isFilteredComparison({ ...view, changes: noChoice });
  const others = changes.flatMap((counts, run) => (counts === null ? [] : [{ counts, run }]));
  const shown = changeGroups.filter(
    (group) =>
      group.id !== 'not_paired' ||
      others.some(
        ({ counts, run }) => sum(counts, group) > 0 || hasCell(view.changes, 'not_paired', run),
      ),
  );
  return (
    <div
      className={styles.matrix}
      role="group"
      aria-label="Changes against the base"
      style={{ gridTemplateColumns: `1fr repeat(${others.length}, 56px)` }}
    >
      <div className={classNames(styles.row, styles.head)}>
        <span>against A, {isPart ? 'of what the filters match' : 'by result id'}</span>
        {others.map(({ run }) => (
          <span key={run}>
            <RunTag run={run} />
          </span>
        ))}
      </div>
      {shown.map((group) => (
        <div key={group.id} className={styles.row}>
          <span className={styles.what}>
            {signs[group.id]}
            <span className={styles.word}>{group.text}</span>{' '}
            <span className="faint">{group.note}</span>
          </span>
          {others.map(({ counts, run }) => {
            const number = sum(counts, group);
            return (
              <button
                key={run}
                type="button"
                className={classNames(styles.cell, number === 0 && styles.zero)}
                aria-pressed={group.changes.every((change) => hasCell(view.changes, change, run))}
                aria-label={`${count(number)} ${group.text} in ${letterOf(run)}`}
                onClick={() =>
                  setView((now) => ({
                    ...now,
                    changes: toggleCell(now.changes, group.changes, run, now.runs.length),
                  }))
                }
              >
                {count(number)}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function sum(counts: ChangeCounts, { changes }: ChangeGroup): number {
  return changes.reduce((total, change) => total + counts[change], 0);
}

const sign = (text: string) => (
  <span className={classNames('faint', styles.sign)} aria-hidden="true">
    {text}
  </span>
);

const signs: Readonly<Record<ChangeGroup['id'], ReactNode>> = {
  regressed: <Move from="passed" to="failed" />,
  fixed: <Move from="failed" to="passed" />,
  changed: sign('≠'),
  only: sign('±'),
  same: sign('='),
  not_paired: sign('…'),
};

function Move({ from, to }: { from: 'passed' | 'failed'; to: 'passed' | 'failed' }) {
  return (
    <span className={styles.move} aria-hidden="true">
      <StatusIcon standing={from} label={null} />
      <Icon name="right" />
      <StatusIcon standing={to} label={null} />
    </span>
  );
}

/** From this many runs on, the sentences are folded. */
const foldedFrom = 3;

/** The differences of each run from the base, in words. */
function InWords({ comparison }: { comparison: RunComparison }) {
  const { runs, comparisons } = comparison;
  const isFolded = comparisons.length + 1 >= foldedFrom;
  const [isUnfolded, setUnfolded] = useState(false);
  const [view] = useCompareView();
  return (
    <div className={styles.words}>
      {(!isFolded || isUnfolded) && (
        <>
          {isFilteredComparison(view) && (
            <p className={styles.wordsNote}>Over all pairs, regardless of the filter:</p>
          )}
          {comparisons.map((against, n) => (
            <p key={against.run_id}>
              <RunTag run={n + 1} small />
              <Sentence against={against} position={n + 1} baseId={runs[0]?.run_id ?? ''} />
            </p>
          ))}
        </>
      )}
      {isFolded && (
        <button
          type="button"
          className={classNames('link', styles.more)}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          In words
        </button>
      )}
    </div>
  );
}

/** Scores that are named in a sentence; of more it has the number. */
const mostNamed = 3;

function Sentence({
  against,
  position,
  baseId,
}: {
  against: AgainstBase;
  position: number;
  baseId: string;
}) {
  const nothing = noPairsText(against, position);
  if (nothing !== undefined) return <span>{nothing}</span>;
  const { difference, beyond_chance } = against.pass_rate;
  const clear = clearScores(against);
  const detectable = detectableText(against);
  const isAll = clear.length === 0;
  // What is the same in every pair needs no chance.
  const isTested = difference !== null && hasMoved(against.pass_rate);
  return (
    <span>
      {[...driftNotes(against.scores, baseId), ...lostNotes(against)].map((text) => (
        <strong key={text}>{text}. </strong>
      ))}
      {against.scores.some(({ judge_drift }) => judge_drift) && (
        <CopyButton
          label="Copy the command that grades the base by today’s judge"
          text={() => regradeCommand(baseId)}
        />
      )}
      {passRateText(against)}
      {isTested && `: ${chanceText(against.pass_rate)}`}
      {isTested && isAll && !beyond_chance && against.scores.some(hasMoved) && ', like every score'}
      {'. '}
      {isAll && beyond_chance && 'No single score differs beyond chance. '}
      {clear.length > mostNamed
        ? `${manyMovedText(clear)}. `
        : clear.map((score, n) => (
            <Fragment key={score.name}>
              {n > 0 && ', '}
              <b>{score.name}</b> {differenceText(score, score.type)}
              {n === clear.length - 1 && ' beyond chance. '}
            </Fragment>
          ))}
      {detectable && `${detectable}. `}
      {difference !== null && carriedNote(against) && `${carriedNote(against)}. `}
      {amountsText(against) && (
        <span title={noVerdictText([against])}>{amountsText(against)}, without a verdict.</span>
      )}
    </span>
  );
}
