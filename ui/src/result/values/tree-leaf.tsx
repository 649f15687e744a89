import { useState } from 'react';
import { count } from '../../components/figures.js';
import { WebLink } from './markdown.js';
import { imageUrl, webUrl } from './safe-url.js';
import styles from './tree.module.css';
import valueStyles from './values.module.css';
import { visibleText } from './visible-text.js';

/** Characters of a string in a tree that are shown before the reader asks for all of it. */
const shownAtFirst = 600;

/** A value with nothing inside. */
export function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <TextLeaf text={value} />;
  if (typeof value === 'object' && value !== null) {
    return <span className={styles.quiet}>{Array.isArray(value) ? '[ ]' : '{ }'}</span>;
  }
  return <span className={value === null ? styles.quiet : undefined}>{String(value)}</span>;
}

function TextLeaf({ text }: { text: string }) {
  const [isAll, setAll] = useState(false);
  const image = imageUrl(text);
  if (image !== undefined) return <img className={valueStyles.thumb} src={image} alt="" />;
  const isCut = !isAll && text.length > shownAtFirst * 1.2;
  const shown = visibleText(isCut ? text.slice(0, shownAtFirst) : text);
  return (
    <span className={styles.text}>
      "{webUrl(text) === undefined ? shown : <WebLink href={text}>{shown}</WebLink>}
      {isCut ? (
        <>
          …{' '}
          <button type="button" className={styles.more} onClick={() => setAll(true)}>
            Show all {count(text.length)} characters
          </button>
        </>
      ) : (
        '"'
      )}
    </span>
  );
}
