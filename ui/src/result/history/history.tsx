import type { Correction, Score } from '../../api/schema.js';
import { count } from '../../components/figures/figures.js';
import { exactText } from '../../components/figures/time.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { gradedValue } from '../../components/scores/threshold-text.js';
import { FoldedSection } from '../section.js';
import { useShownItems } from '../values/shown-part.js';
import { visibleText } from '../values/visible-text.js';
import styles from './history.module.css';
import { readCorrection, type ScoreChange } from './read-correction.js';

/** Corrections shown initially. */
const shownAtFirst = 12;

/** Maximum characters of a text in the timeline. */
const maxText = 60;

/** The corrections of a result, newest first. */
export function History({
  corrections,
  isFoldedAtFirst,
}: {
  corrections: readonly Correction[];
  isFoldedAtFirst: boolean;
}) {
  const [shown, showAll] = useShownItems(corrections.toReversed(), shownAtFirst, 'corrections');
  if (corrections.length === 0) return null;
  return (
    <FoldedSection
      title="Correction history"
      note={count(corrections.length)}
      isFoldedAtFirst={isFoldedAtFirst}
    >
      <ol className={styles.time}>
        {shown.map((correction) => (
          <Entry key={corrections.indexOf(correction)} correction={correction} />
        ))}
      </ol>
      {showAll}
    </FoldedSection>
  );
}

function Entry({ correction }: { correction: Correction }) {
  const change = readCorrection(correction);
  const { timestamp } = correction;
  return (
    <li>
      {change.kind === 'annotation' ? (
        <p>
          <b>annotation</b> <Quote text={change.before} className={styles.was} />
          <Arrow />
          <Quote text={change.after} />
        </p>
      ) : (
        change.changes.map((change) => <ChangeLine key={change.key} change={change} />)
      )}
      {change.kind === 'scores' && change.changes.length === 0 && <p>scores in another order</p>}
      <time className={styles.when} dateTime={timestamp}>
        {exactText(timestamp)}
        {change.kind === 'scores' && change.by && `, ${change.by}`}
      </time>
    </li>
  );
}

function ChangeLine({ change: { key, before, after } }: { change: ScoreChange }) {
  const areVerdictsSame = before?.passed === after?.passed && before?.value === after?.value;
  return (
    <p>
      <b>{visibleText(key)}</b>{' '}
      {areVerdictsSame ? (
        <>
          notes <Quote text={before?.notes ?? ''} className={styles.was} />
          <Arrow />
          <Quote text={after?.notes ?? ''} />
        </>
      ) : (
        <>
          <Grade score={before} none="none" />
          <Arrow />
          <Grade score={after} none="removed" />
        </>
      )}
    </p>
  );
}

function Grade({ score, none }: { score: Score | undefined; none: string }) {
  if (score === undefined) return <span className={styles.was}>{none}</span>;
  const { passed, value } = score;
  return (
    <span className={styles.grade}>
      {passed !== undefined && (
        <>
          <StatusIcon standing={passed ? 'passed' : 'failed'} label={null} />{' '}
          {passed ? 'passed' : 'failed'}
        </>
      )}
      {value !== undefined && <> {gradedValue(value, score)}</>}
    </span>
  );
}

function Quote({ text, className }: { text: string; className?: string | undefined }) {
  if (text === '') return <span className={styles.was}>none</span>;
  const shown = visibleText(text.slice(0, maxText)).trim();
  return (
    <bdi className={className} title={visibleText(text.slice(0, 2000))}>
      “{shown}
      {text.length > maxText && '…'}”
    </bdi>
  );
}

function Arrow() {
  return (
    <span className={styles.to} role="img" aria-label="became">
      →
    </span>
  );
}
