import { classNames } from '../components/class-names.js';
import { CopyButton } from '../components/controls/copy-button.js';
import { counted } from '../components/figures/figures.js';
import styles from './logs.module.css';
import { FoldedSection } from './section.js';
import { useShownItems } from './values/shown-part.js';
import { printedText } from './values/visible-text.js';

/** Lines shown initially. */
const shownAtFirst = 200;

/** A line printed by an evaluation. */
export interface LogLine {
  readonly isError: boolean;
  readonly text: string;
  /** Seconds since the first line. */
  readonly at: number | undefined;
}

/** Splits the printed text into lines. */
export function readLogs(logs: unknown): readonly LogLine[] {
  if (!Array.isArray(logs)) return [];
  let start: number | undefined;
  return logs.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { stream, text, at } = entry as Readonly<Record<string, unknown>>;
    if (typeof text !== 'string') return [];
    const moment = typeof at === 'string' ? Date.parse(at) / 1000 : Number.NaN;
    if (!Number.isNaN(moment)) start ??= moment;
    const since = Number.isNaN(moment) || start === undefined ? undefined : moment - start;
    return text
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .map((line) => ({ isError: stream === 'stderr', text: printedText(line), at: since }));
  });
}

/** The output that the evaluation printed. */
export function LogSection({ logs }: { logs: unknown }) {
  const lines = readLogs(logs);
  if (lines.length === 0) return null;
  return (
    <FoldedSection
      title="Logs"
      note={counted(lines.length, 'line')}
      tools={<CopyButton label="Copy logs" text={() => lines.map(({ text }) => text).join('\n')} />}
    >
      <Logs logs={lines} />
    </FoldedSection>
  );
}

/** Printed lines with time and stream. */
export function Logs({ logs }: { logs: readonly LogLine[] }) {
  const [shown, showAll] = useShownItems(logs, shownAtFirst, 'lines');
  return (
    <div className={styles.logs}>
      {shown.map(({ isError, text, at }, n) => (
        // Lines have no ids, and never move.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={n} className={styles.line}>
          <span className={styles.at}>{at?.toFixed(2)}</span>
          <span className={classNames(styles.stream, isError && styles.error)}>
            {isError ? 'err' : 'out'}
          </span>
          <span className={styles.text}>{text}</span>
        </div>
      ))}
      {showAll}
    </div>
  );
}
