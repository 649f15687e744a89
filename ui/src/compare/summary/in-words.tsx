import { Fragment, useState } from 'react';
import type { AgainstBase, RunComparison } from '../../api/schema.js';
import { chanceText, differenceText } from '../../components/figures/difference-text.js';
import { RunTag } from '../run-tag.js';
import { useCompareView } from '../use-compare-view.js';
import { isFilteredComparison } from '../view-state.js';
import styles from './in-words.module.css';
import {
  amountsText,
  carriedNote,
  clearScores,
  detectableText,
  hasMoved,
  lostNotes,
  noPairsText,
  noVerdictText,
  passRateText,
} from './words.js';

/** From this many runs on, the sentences are folded. */
const foldedFrom = 3;

/** The differences of each run from the base, in words, with a link to all numbers. */
export function InWords({
  comparison,
  onAsk,
}: {
  comparison: RunComparison;
  /** All numbers are wanted. */
  onAsk: () => void;
}) {
  const { comparisons } = comparison;
  const isFolded = comparisons.length + 1 >= foldedFrom;
  const [isUnfolded, setUnfolded] = useState(false);
  const [view] = useCompareView();
  return (
    <div className={styles.words}>
      {(!isFolded || isUnfolded) && (
        <>
          {isFilteredComparison(view) && (
            <p className={styles.note}>Over all pairs, regardless of the filter:</p>
          )}
          {comparisons.map((against, n) => (
            <p key={against.run_id}>
              <RunTag run={n + 1} small />
              <Sentence against={against} position={n + 1} />
            </p>
          ))}
        </>
      )}
      <span className={styles.more}>
        {isFolded && (
          <button
            type="button"
            className="link"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            In words
          </button>
        )}
        <button type="button" className="link" onClick={onAsk}>
          All differences
        </button>
      </span>
    </div>
  );
}

function Sentence({ against, position }: { against: AgainstBase; position: number }) {
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
      {lostNotes(against).map((text) => (
        <strong key={text}>{text}. </strong>
      ))}
      {passRateText(against)}
      {isTested && `: ${chanceText(against.pass_rate)}`}
      {isTested && isAll && !beyond_chance && against.scores.some(hasMoved) && ', like every score'}
      {'. '}
      {isAll && beyond_chance && 'No single score differs beyond chance. '}
      {clear.map((score, n) => (
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
