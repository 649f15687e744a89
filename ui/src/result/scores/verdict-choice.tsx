import { useId } from 'react';
import { StatusIcon } from '../../components/status-icon.js';
import type { ScoreDraft } from './score-draft.js';
import styles from './score-editor.module.css';

const verdicts = ['pass', 'fail', 'none'] as const;

/** Passed, failed, or neither: then it is `unsaid`. */
export function VerdictChoice({
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
