import type { Run } from '../../api/client.js';
import { codeVersionsText } from '../../components/code-versions.js';
import styles from './code-versions-note.module.css';
import { useFilter } from './use-filter.js';

/** Says that a run holds results of several versions of the code; a click filters by the older ones. */
export function CodeVersionsNote({ run }: { run: Run }) {
  const { isIn, toggle } = useFilter('code');
  const text = codeVersionsText(run.code_versions);
  if (text === undefined) return null;
  return (
    <button
      type="button"
      className={styles.note}
      aria-pressed={isIn('older')}
      title="Show results that older code has graded"
      onClick={() => toggle('older')}
    >
      results of {text}
    </button>
  );
}
