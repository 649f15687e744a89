import { useMemo, useState } from 'react';
import {
  framePlace,
  type RepeatedFrames,
  repetitionText,
  type StackFrame,
} from '../../../../src/text/stack-frame.js';
import { useSettingsFile } from '../../api/queries.js';
import { visibleText } from '../values/visible-text.js';
import styles from './error-block.module.css';
import { type ErrorPart, type Frames, readError } from './read-error.js';
import { SourceLink } from './source-link.js';

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
  if (frames.kind === 'own') return <OwnFrames {...frames} />;
  // biome-ignore lint/suspicious/noArrayIndexKey: frames never change their order
  if (isOpen) return frames.frames.map((frame, n) => <FrameLine key={n} frame={frame} />);
  return (
    <button type="button" aria-expanded={false} onClick={() => setOpen(true)}>
      … {frames.words}
    </button>
  );
}

/** Frames of own code; those that repeat are there once. */
function OwnFrames(repeated: RepeatedFrames) {
  const { frames } = repeated;
  const count = repetitionText(repeated);
  return (
    <>
      {frames.map((frame, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: frames never change their order
        <span key={n} className={styles.own}>
          <FrameLine frame={frame} />
          {count !== undefined && frames.length === 1 && <small> {count}</small>}
        </span>
      ))}
      {count !== undefined && frames.length > 1 && <span>{count}</span>}
    </>
  );
}

/** `at deep (evals/a.eval.ts:4:46)`, with a link to the editor. */
function FrameLine({ frame }: { frame: StackFrame }) {
  const folder = useSettingsFile().data?.folder ?? '';
  const place = framePlace(frame, folder);
  return (
    <span>
      at {frame.before}
      {frame.owner === 'runtime' ? place : <SourceLink place={frame}>{place}</SourceLink>}
      {frame.after}
    </span>
  );
}
