import { useId, useState } from 'react';
import type { Score, SentScore } from '../../api/schema.js';
import { IconButton } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { Fault } from '../../components/messages/fault.js';
import { wantedText } from '../../components/scores/threshold-text.js';
import { EditForm, TextArea } from '../editing/edit-form.js';
import { type EditedResult, useResultEdit } from '../editing/use-result-edit.js';
import {
  draftOf,
  draftVerdict,
  faultsOf,
  type ScoreDraft,
  scoreOf,
  withScore,
} from './score-draft.js';
import styles from './score-editor.module.css';

/** Changes one score, or adds one (no `place`). */
export function ScoreEditor({
  scores,
  place,
  isOfCounted = false,
  onClose,
  ...result
}: EditedResult & {
  scores: readonly Score[];
  place: number | undefined;
  /** They are those of the attempt that counts, where that is another one. */
  isOfCounted?: boolean | undefined;
  onClose: () => void;
}) {
  const score = place === undefined ? undefined : scores[place];
  const changed = (to: SentScore | undefined) => {
    const all = withScore(scores, place, to);
    return isOfCounted ? { counted_scores: all } : { scores: all };
  };
  const edit = useResultEdit(
    result,
    `${isOfCounted ? 'counted ' : ''}score ${score?.key ?? ''}`,
    () => draftOf(score),
    (now: ScoreDraft) => changed(scoreOf(now)),
    onClose,
  );
  const { draft } = edit;
  const [isTried, setTried] = useState(false);
  const others = scores.filter((_, n) => n !== place).map(({ key }) => key);
  const faults = faultsOf(draft, others);
  return (
    <EditForm
      edit={edit}
      label={place === undefined ? 'New score' : `Edit ${draft.key}`}
      className={styles.form}
      onSave={() => {
        setTried(true);
        if (Object.keys(faults).length === 0) edit.save();
      }}
      end={
        place !== undefined && (
          <IconButton
            icon="trash"
            label="Remove score"
            className={styles.remove}
            disabled={edit.isPending}
            onClick={() => edit.save(changed(undefined))}
          />
        )
      }
    >
      <ScoreFields
        draft={draft}
        score={score}
        faults={isTried ? faults : {}}
        isNew={place === undefined}
        onChange={(part) => edit.change({ ...draft, ...part })}
      />
    </EditForm>
  );
}

/** The fields of a score, each with its problem. */
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
      <Fault text={faults.key ?? faults.verdict} />
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
      <Fault text={faults.value} />
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

const verdicts = ['pass', 'fail', 'none'] as const;

/** Passed, failed, or neither: then it is `unsaid`. */
function VerdictChoice({
  value,
  unsaid,
  onChange,
}: {
  value: ScoreDraft['verdict'];
  /** Label of the option without a verdict: `none`, or the threshold that decides. */
  unsaid: string;
  onChange: (value: ScoreDraft['verdict']) => void;
}) {
  const name = useId();
  return (
    <span className={styles.verdict} role="radiogroup" aria-label="Verdict">
      {verdicts.map((verdict) => (
        <label key={verdict}>
          <input
            type="radio"
            className="sr"
            name={name}
            checked={value === verdict}
            onChange={() => onChange(verdict)}
          />
          {verdict !== 'none' && (
            <StatusIcon standing={verdict === 'pass' ? 'passed' : 'failed'} label={null} />
          )}
          {verdict === 'none' ? unsaid : verdict}
        </label>
      ))}
    </span>
  );
}
