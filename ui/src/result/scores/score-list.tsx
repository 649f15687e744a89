import type { Score } from '../../api/schema.js';
import { Button, IconButton } from '../../components/controls/button.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { gradedValue } from '../../components/scores/threshold-text.js';
import { useEditor } from '../editing/edit-form.js';
import { Section } from '../section.js';
import { ShownPart } from '../values/shown-part.js';
import { visibleText } from '../values/visible-text.js';
import { ScoreEditor } from './score-editor.js';
import styles from './score-list.module.css';

/** The scores of a result, each editable in place. */
export function ScoreList({
  scores,
  ...result
}: {
  run: string;
  index: number;
  revision: string;
  scores: readonly Score[];
}) {
  const [editor, edit] = useEditor();
  const close = () => edit(undefined);
  const editorAt = (place: number | undefined) => (
    <ScoreEditor {...result} scores={scores} place={place} onClose={close} />
  );
  return (
    <Section
      title="Scores"
      note={scores.length}
      tools={
        <Button look="ghost" small icon="plus" onClick={() => edit('new score')}>
          Add
        </Button>
      }
    >
      <ul className={styles.list}>
        {scores.map((score, place) => {
          const name = nameAt(scores, place);
          return editor === name ? (
            <li key={name} className={styles.edited}>
              {editorAt(place)}
            </li>
          ) : (
            <ScoreLine key={name} score={score} onEdit={() => edit(name)} />
          );
        })}
        {editor === 'new score' && <li className={styles.edited}>{editorAt(undefined)}</li>}
      </ul>
      {scores.length === 0 && editor !== 'new score' && <p className="faint">No scores.</p>}
    </Section>
  );
}

function ScoreLine({ score, onEdit }: { score: Score; onEdit: () => void }) {
  const { key, passed, value, notes, source } = score;
  return (
    <li className={styles.item}>
      <div className={styles.line}>
        {passed === undefined ? (
          <span className={styles.noVerdict} />
        ) : (
          <StatusIcon standing={passed ? 'passed' : 'failed'} />
        )}
        <span className={styles.key}>{visibleText(key)}</span>
        {value !== undefined && <b title={String(value)}>{gradedValue(value, score)}</b>}
        {value !== undefined && value >= 0 && value <= 1 && (
          <span className={styles.scale} aria-hidden="true">
            <i style={{ left: `${value * 100}%` }} />
          </span>
        )}
        {source === 'human' && <span className={styles.hand}>by hand</span>}
        <span className={styles.space} />
        <IconButton
          icon="pencil"
          label={`Edit ${visibleText(key)}`}
          small
          className={styles.pencil}
          onClick={onEdit}
        />
      </div>
      {notes !== undefined && notes !== '' && (
        <ShownPart text={visibleText(notes)}>
          {(part) => <p className={styles.notes}>{part}</p>}
        </ShownPart>
      )}
    </li>
  );
}

/** Keys of scores may repeat; then they are counted. */
function nameAt(scores: readonly Score[], place: number): `score ${string}` {
  const key = scores[place]?.key ?? '';
  return `score ${scores.slice(0, place).filter((score) => score.key === key).length} ${key}`;
}
