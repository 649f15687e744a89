import { useMemo, useState } from 'react';
import { visibleText } from '../values/visible-text.js';
import styles from './error-block.module.css';
import { type ErrorPart, type Frames, readError } from './read-error.js';

/** An error with name, message and stack; frames of libraries are folded. */
export function ErrorBlock({ text, label }: { text: string; label: string }) {
  const parts = useMemo(() => readError(visibleText(text)), [text]);
  return (
    <div className={styles.block} role="group" aria-label={label}>
      {parts.map((part, n) => (
        // The causes of an error never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Part key={n} part={part} />
      ))}
    </div>
  );
}

function Part({ part: { name, message, frames, isCause } }: { part: ErrorPart }) {
  return (
    <div className={styles.part}>
      <p>
        {isCause && 'Caused by '}
        {name !== undefined && <b>{name}</b>} {message}
      </p>
      {frames.length > 0 && (
        <pre>
          {frames.map((some, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: frames never change their order
            <FrameLines key={n} frames={some} />
          ))}
        </pre>
      )}
    </div>
  );
}

function FrameLines({ frames }: { frames: Frames }) {
  const [isOpen, setOpen] = useState(false);
  if (frames.kind === 'own') return <span className={styles.own}>{frames.text}</span>;
  if (isOpen) return <span>{frames.texts.join('\n')}</span>;
  const { length } = frames.texts;
  return (
    <button type="button" aria-expanded={false} onClick={() => setOpen(true)}>
      at {length} {length === 1 ? 'frame' : 'frames'} of libraries
    </button>
  );
}
