import { type ReactNode, useState } from 'react';
import { count } from '../../components/figures.js';
import styles from './values.module.css';

/** Characters of a text that are shown before the reader asks for all of it. */
export const shownAtFirst = 4000;

/** Gives a long text in part, at the end of a line where there is one near, until all of it is asked for. */
export function ShownPart({
  text,
  children,
}: {
  text: string;
  children: (text: string) => ReactNode;
}) {
  const [isAll, setAll] = useState(false);
  // A little more is not worth a click.
  if (isAll || text.length <= shownAtFirst * 1.2) return children(text);
  const line = text.lastIndexOf('\n', shownAtFirst);
  const part = text.slice(0, line > shownAtFirst / 2 ? line : wholeSign(text, shownAtFirst));
  return (
    <>
      {children(part)}
      <p className={styles.rest}>
        …{' '}
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          Show all {count(text.length)} characters
        </button>
      </p>
    </>
  );
}

/** Not between the two halves of a sign. */
function wholeSign(text: string, end: number): number {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isHalf ? end - 1 : end;
}
