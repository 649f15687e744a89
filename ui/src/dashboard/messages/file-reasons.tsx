import type { EmptyFile, FailedImport } from '../../api/schema.js';
import { counted } from '../../components/figures/figures.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import styles from './file-reasons.module.css';

const mostListed = 20;

/** The files that were read, each with the reason why it has no evaluations. */
export function FileReasons({
  failures,
  empty,
}: {
  failures: readonly FailedImport[];
  empty: readonly EmptyFile[];
}) {
  const files = [
    ...empty.map((one) => ({ ...one, isBroken: false })),
    ...failures.map(({ file, line }) => ({
      file,
      reason: `${line === undefined ? '' : `line ${line}, `}cannot be imported`,
      isBroken: true,
    })),
  ].sort((a, b) => (a.file < b.file ? -1 : 1));
  const left = files.length - mostListed;
  return (
    <>
      <ul className={styles.files} aria-label="Files without evaluations">
        {files.slice(0, mostListed).map(({ file, reason, isBroken }) => (
          <li key={file}>
            <StatusIcon standing={isBroken ? 'error' : 'no_verdict'} label={null} />
            <span className={`mono ${styles.name}`}>{file}</span>
            <span className={styles.reason}>{reason}</span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className={styles.more}>and {counted(left, 'more file')}</p>}
    </>
  );
}
