import { useId, useState } from 'react';
import type { Score } from '../../api/schema.js';
import { Button, IconButton } from '../../components/button.js';
import { Field } from '../../components/field.js';
import { Kbd } from '../../components/kbd.js';
import { StatusIcon } from '../../components/status-icon.js';
import { wantedText } from '../../components/threshold-text.js';
import { EditConflictChoice, EditFault, editKeys, TextArea } from './edit-form.js';
import {
  draftOf,
  draftVerdict,
  faultsOf,
  type ScoreDraft,
  scoreOf,
  withScore,
} from './score-draft.js';
import styles from './score-editor.module.css';
import { useResultEdit } from './use-result-edit.js';
import { VerdictChoice } from './verdict-choice.js';

/** Changes one score, or adds one (no `place`). */
export function ScoreEditor({
  scores,
  place,
  onClose,
  ...result
}: {
  run: string;
  index: number;
  revision: string;
  scores: readonly Score[];
  place: number | undefined;
  onClose: () => void;
}) {
  const score = place === undefined ? undefined : scores[place];
  const { draft, change, close, save, isPending, fault, conflict } = useResultEdit(
    { ...result, part: `score ${score?.key ?? ''}` },
    () => draftOf(score),
    (now: ScoreDraft) => ({ scores: withScore(scores, place, scoreOf(now)) }),
    onClose,
  );
  const [isTried, setTried] = useState(false);
  const others = scores.filter((_, n) => n !== place).map(({ key }) => key);
  const faults = faultsOf(draft, others);
  const saveIfGood = () => {
    setTried(true);
    if (Object.keys(faults).length === 0) save();
  };
  return (
    <form
      className={styles.form}
      aria-label={place === undefined ? 'New score' : `Edit ${draft.key}`}
      onSubmit={(event) => {
        event.preventDefault();
        saveIfGood();
      }}
      onKeyDown={editKeys({ save: saveIfGood, cancel: close })}
    >
      <ScoreFields
        draft={draft}
        score={score}
        faults={isTried ? faults : {}}
        isNew={place === undefined}
        onChange={(part) => change({ ...draft, ...part })}
      />
      <EditFault text={fault} />
      <EditConflictChoice conflict={conflict} />
      <div className={styles.row}>
        <span className={styles.label} />
        <Button look="primary" type="submit" disabled={isPending}>
          Save <Kbd>ctrl ↵</Kbd>
        </Button>
        <Button look="ghost" onClick={close}>
          Cancel <Kbd>esc</Kbd>
        </Button>
        <span className={styles.space} />
        {place !== undefined && (
          <IconButton
            icon="trash"
            label="Remove score"
            disabled={isPending}
            onClick={() => save({ scores: withScore(scores, place, undefined) })}
          />
        )}
      </div>
    </form>
  );
}

/** The fields of a score, each with what is wrong with it. */
function ScoreFields({
  draft,
  score,
  faults,
  isNew,
  onChange,
}: {
  draft: ScoreDraft;
  /** As it is saved; absent for a new one. */
  score: Score | undefined;
  faults: ReturnType<typeof faultsOf>;
  isNew: boolean;
  onChange: (part: Partial<ScoreDraft>) => void;
}) {
  const id = useId();
  const derived = draftVerdict(draft, score);
  const isSameKey = draft.key.trim() === score?.key;
  const wanted = score !== undefined && isSameKey ? wantedText(score) : undefined;
  return (
    <>
      <div className={styles.row}>
        <label className={styles.label} htmlFor={`${id}key`}>
          key
        </label>
        <Field
          id={`${id}key`}
          className={styles.key}
          autoFocus={isNew}
          value={draft.key}
          bad={faults.key !== undefined}
          onChange={(event) => onChange({ key: event.currentTarget.value })}
        />
        <VerdictChoice
          value={draft.verdict}
          unsaid={wanted ?? 'none'}
          onChange={(verdict) => onChange({ verdict })}
        />
      </div>
      <EditFault text={faults.key ?? faults.verdict} />
      <div className={styles.row}>
        <label className={styles.label} htmlFor={`${id}value`}>
          value
        </label>
        <Field
          id={`${id}value`}
          className={styles.value}
          inputMode="decimal"
          value={draft.value}
          bad={faults.value !== undefined}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
        />
        <span className={styles.hint}>
          {draft.verdict === 'none' && derived !== undefined ? (
            <>
              <StatusIcon standing={derived ? 'passed' : 'failed'} label={null} />{' '}
              {derived ? 'passes' : 'fails'}, wanted {wanted}
            </>
          ) : (
            'optional number'
          )}
        </span>
      </div>
      <EditFault text={faults.value} />
      <div className={styles.row}>
        <label className={styles.label} htmlFor={`${id}notes`}>
          notes
        </label>
        <TextArea
          id={`${id}notes`}
          isFirst={!isNew}
          value={draft.notes}
          onChange={(notes) => onChange({ notes })}
        />
      </div>
    </>
  );
}
