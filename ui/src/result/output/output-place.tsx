import type { ReactNode } from 'react';
import type { Result } from '../../api/schema.js';
import { Button } from '../../components/controls/button.js';
import { CopyButton } from '../../components/controls/copy-button.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { ErrorBlock } from '../error/error-block.js';
import { Section } from '../section.js';
import type { Seen } from '../values/value-kind.js';
import { ValueSection } from '../values/value-section.js';
import styles from './output-pair.module.css';

/** The output, the error in its place, or why there is none yet. */
export function OutputPlace({
  result,
  found,
  note,
  end,
  onRun,
}: {
  result: Result;
  found: Seen;
  note: string;
  /** More tools. */
  end: ReactNode;
  onRun: (() => void) | undefined;
}) {
  const { error, output, status } = result;
  if (status !== 'completed' && status !== 'error') {
    return (
      <Section title="Output" tools={end}>
        <Awaited status={status} onRun={onRun} />
      </Section>
    );
  }
  if (error !== null && found.kind === 'nothing') return null;
  return <ValueSection title="Output" value={output} found={found} note={note} end={end} />;
}

/** The error of a result, if there is one. */
export function ErrorSection({ error }: { error: string | null }) {
  if (error === null) return null;
  return (
    <Section title="Error" tools={<CopyButton label="Copy error" text={() => error} />}>
      <ErrorBlock text={error} label="Error" />
    </Section>
  );
}

/** Reason for a missing output, by status. */
const awaited = {
  not_started: 'This evaluation has not been run.',
  cancelled: 'It was cancelled before it finished.',
  pending: 'It is queued. Its output appears here when it finishes.',
  running: 'It is running. Its output appears here when it finishes.',
} as const;

function Awaited({
  status,
  onRun,
}: {
  status: keyof typeof awaited;
  onRun: (() => void) | undefined;
}) {
  return (
    <div className={styles.awaited}>
      <p>
        <StatusIcon standing={status} />
        {awaited[status]}
      </p>
      {onRun && (
        <Button small onClick={onRun}>
          <Icon name="play" /> Run it
        </Button>
      )}
    </div>
  );
}
