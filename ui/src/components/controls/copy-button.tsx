import { useEffect, useState } from 'react';
import { notify, notifyError } from '../../app/notices.js';
import { IconButton } from './button.js';

/** Milliseconds for which the button confirms the copy. */
const shownFor = 1500;

/** Copies a text unchanged. */
export function CopyButton({
  label,
  text,
  className,
  icon = 'copy',
}: {
  label: string;
  text: () => string;
  className?: string | undefined;
  icon?: 'copy' | 'chain' | 'file';
}) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), shownFor);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setDone(true);
    } catch {
      notifyError('The browser does not let this page copy.');
    }
  };
  return (
    <>
      <IconButton
        icon={isDone ? 'check' : icon}
        label={label}
        small={icon !== 'chain'}
        className={className}
        onClick={() => void copy()}
      />
      <span className="sr" role="status">
        {isDone && 'Copied'}
      </span>
    </>
  );
}

/** Copies a text to the clipboard and confirms it; `what` is the subject of the sentence. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} is in the clipboard.`);
  } catch {
    notifyError('The browser does not let this page copy. Select it and copy it by hand.');
  }
}
