import { placeOn } from '../../../../src/model/scores/score.js';
import type { Score } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { IconButton } from '../../components/controls/button.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { isDrawn } from '../../components/scores/drawn-notes.js';
import { gradedValue } from '../../components/scores/threshold-text.js';
import { ShownPart } from '../values/shown-part.js';
import { visibleText } from '../values/visible-text.js';
import styles from './score-list.module.css';

/** A score with its notes, and a button that edits it. */
export function ScoreLine({ score, onEdit }: { score: Score; onEdit: () => void }) {
  const { key, value, notes } = score;
  return (
    <li className={styles.item}>
      <div className={styles.line}>
        <Verdict score={score} />
        <span className={styles.key}>{visibleText(key)}</span>
        {value !== undefined && <b title={String(value)}>{gradedValue(value, score)}</b>}
        <Scale score={score} />
        <ByHand score={score} />
        <span className={styles.space} />
        <Pencil name={key} onClick={onEdit} />
      </div>
      <Notes text={notes} />
    </li>
  );
}

/** A score on one line, of which the notes open. */
export function FoldedScore({
  score,
  end,
  isOpen,
  onToggle,
  onEdit,
}: {
  score: Score;
  /** Length of the end of the key that is never cut. */
  end: number | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onEdit: () => void;
}) {
  const { key, passed, value, notes = '' } = score;
  const content = (
    <>
      <Verdict score={score} />
      <span className={styles.name}>
        <MiddleCut text={visibleText(key)} end={end} />
      </span>
      <ByHand score={score} />
      {passed === false && value !== undefined && <b>{gradedValue(value, score)}</b>}
      {passed === false && !isOpen && (
        <span className={classNames('cut', styles.note)}>{visibleText(notes)}</span>
      )}
      {(passed !== false || isOpen || notes === '') && <span className={styles.space} />}
      {passed !== false && <Scale score={score} />}
      {passed !== false && value !== undefined && (
        <b title={String(value)}>{gradedValue(value, score)}</b>
      )}
    </>
  );
  return (
    <li className={classNames(styles.folded, passed === false && styles.failed)}>
      <div className={styles.foldedLine}>
        {notes === '' ? (
          <span className={classNames(styles.toggle, styles.withoutNotes)}>{content}</span>
        ) : (
          <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
            {content}
            <Icon name={isOpen ? 'down' : 'right'} small />
          </button>
        )}
        <Pencil name={key} onClick={onEdit} />
      </div>
      {isOpen && <Notes text={notes} />}
    </li>
  );
}

function Verdict({ score: { passed } }: { score: Score }) {
  return passed === undefined ? (
    <span className={styles.noVerdict} />
  ) : (
    <StatusIcon standing={passed ? 'passed' : 'failed'} />
  );
}

function Scale({ score: { value, scale } }: { score: Score }) {
  const place = value === undefined ? undefined : placeOn(value, scale);
  if (place === undefined) return null;
  return (
    <span className={styles.scale} aria-hidden="true">
      <i style={{ left: `${place * 100}%` }} />
    </span>
  );
}

function ByHand({ score: { source, inexact } }: { score: Score }) {
  const mark = source === 'human' ? 'by hand' : inexact === true ? 'of the stored form' : undefined;
  return mark === undefined ? null : <span className={styles.hand}>{mark}</span>;
}

function Pencil({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <IconButton
      icon="pencil"
      label={`Edit ${visibleText(name)}`}
      small
      className={styles.pencil}
      onClick={onClick}
    />
  );
}

function Notes({ text }: { text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <ShownPart text={visibleText(text)}>
      {(part) => <p className={classNames(styles.notes, isDrawn(text) && styles.drawn)}>{part}</p>}
    </ShownPart>
  );
}
