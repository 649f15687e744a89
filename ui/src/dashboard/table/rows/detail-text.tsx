import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { classNames } from '../../../components/class-names.js';
import styles from './row-detail.module.css';

/** A value below a row; one that is longer than its box leads to the result. */
export function DetailText({
  value,
  href,
  className,
}: {
  value: unknown;
  /** Address of the result. */
  href: string;
  className?: string | undefined;
}) {
  const { text, isCut } = plainText(value);
  const box = useRef<HTMLParagraphElement>(null);
  const isClipped = useClipped(box, text);
  return (
    <>
      <p ref={box} className={classNames(styles.text, className)}>
        {text}
        {isCut && ' …'}
      </p>
      {(isCut || isClipped) && (
        <Link href={href} className={styles.more}>
          more
        </Link>
      )}
    </>
  );
}

/** True while an element is lower than its text. */
function useClipped(element: { readonly current: HTMLElement | null }, text: string): boolean {
  const [isClipped, setClipped] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may be as high as its box, too.
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setClipped(current.scrollHeight > current.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, text]);
  return isClipped;
}

/** Maximum characters and lines of a value in the table. */
const maxLetters = 1500;
const maxLines = 20;

/** A value as text: strings unchanged, small flat objects as lines of key and value, anything else as JSON. */
function plainText(value: unknown): { readonly text: string; readonly isCut: boolean } {
  const whole =
    typeof value === 'string' ? value : (flatText(value) ?? JSON.stringify(value, null, 2));
  const lines = whole.slice(0, maxLetters).split('\n');
  const text = lines.slice(0, maxLines).join('\n');
  return { text, isCut: text.length < whole.length };
}

function flatText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const isFlat = entries.every(
    ([key, inner]) => key.length <= 14 && (typeof inner !== 'object' || inner === null),
  );
  if (!isFlat || entries.length === 0 || entries.length > 12) return undefined;
  const width = Math.max(...entries.map(([key]) => key.length)) + 2;
  return entries
    .map(([key, inner]) => {
      const [first = '', ...rest] = String(inner).split('\n');
      return [`${key.padEnd(width)}${first}`, ...rest.map((line) => ' '.repeat(width) + line)].join(
        '\n',
      );
    })
    .join('\n');
}
