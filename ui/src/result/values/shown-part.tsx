import { type ReactNode, useState } from 'react';
import { classNames } from '../../components/class-names.js';
import { count } from '../../components/figures/figures.js';
import styles from './values.module.css';

/** Characters of a text shown initially. */
const shownAtFirst = 4000;

/** Renders the beginning of a long text, cut at a line end if possible, with a button that shows all of it. */
export function ShownPart({
  text,
  isAll: isAllGiven = false,
  onAll,
  children,
}: {
  text: string;
  /** All of it is shown for another reason. */
  isAll?: boolean;
  onAll?: () => void;
  children: (text: string) => ReactNode;
}) {
  const [isAllHere, setAll] = useState(false);
  const isAll = isAllHere || isAllGiven;
  // Slightly longer texts are shown completely.
  if (isAll || text.length <= shownAtFirst * 1.2) return children(text);
  const line = text.lastIndexOf('\n', shownAtFirst);
  const part = text.slice(0, line > shownAtFirst / 2 ? line : wholeCharacter(text, shownAtFirst));
  return (
    <>
      {children(part)}
      <p className={styles.rest}>
        … <ShowAll count={text.length} noun="characters" onClick={onAll ?? (() => setAll(true))} />
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

/** Avoids cutting between the halves of a surrogate pair. */
function wholeCharacter(text: string, end: number): number {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isHalf ? end - 1 : end;
}
