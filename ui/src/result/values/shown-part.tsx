import { type ReactNode, useState } from 'react';
import { classNames } from '../../components/class-names.js';
import { count } from '../../components/figures.js';
import styles from './values.module.css';

/** Characters of a text that are shown before the reader asks for all of it. */
const shownAtFirst = 4000;

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
        … <ShowAll count={text.length} noun="characters" onClick={() => setAll(true)} />
      </p>
    </>
  );
}

/** The first items of a list, and a button that shows all of them; absent when all are shown. */
export function useShownItems<T>(
  items: readonly T[],
  most: number,
  noun: string,
): readonly [readonly T[], ReactNode] {
  const [isAll, setAll] = useState(false);
  if (isAll || items.length <= most) return [items, null];
  const button = (
    <ShowAll key="all" count={items.length} noun={noun} onClick={() => setAll(true)} />
  );
  return [items.slice(0, most), button];
}

/** A button that shows the rest of something long. */
export function ShowAll({
  count: all,
  noun,
  onClick,
}: {
  count: number;
  noun: string;
  onClick: () => void;
}) {
  return (
    <button type="button" className={classNames('link', styles.more)} onClick={onClick}>
      Show all {count(all)} {noun}
    </button>
  );
}

/** Not between the two halves of a sign. */
function wholeSign(text: string, end: number): number {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isHalf ? end - 1 : end;
}
