import { useId } from 'react';
import { StatusIcon } from '../../components/status-icon.js';
import type { ScoreDraft } from './score-draft.js';
import styles from './score-editor.module.css';

const verdicts = ['pass', 'fail', 'none'] as const;

/** Passed, failed, or neither. */
export function VerdictChoice({
  value,
  onChange,
}: {
  value: ScoreDraft['verdict'];
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
          {verdict}
        </label>
      ))}
    </span>
  );
}
