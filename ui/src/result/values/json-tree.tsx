import { useState } from 'react';
import { imageUrl } from '../../../../src/model/calls/message-parts.js';
import { classNames } from '../../components/class-names.js';
import { count } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { WebLink } from './markdown.js';
import { webUrl } from './safe-url.js';
import { ShowAll } from './shown-part.js';
import styles from './tree.module.css';
import { entriesOf, isBranch, isOpenAtFirst, previewOf } from './tree-shape.js';
import valueStyles from './values.module.css';
import { visibleText } from './visible-text.js';

/** Lines of a branch shown initially; each click shows ten times as many more. */
const step = 100;

/** JSON as a tree with collapsible branches. */
export function JsonTree({ value, label }: { value: object; label: string }) {
  return (
    <div className={styles.tree}>
      <Branch value={value} depth={0} root={value} label={label} />
    </div>
  );
}

function Branch({
  value,
  depth,
  root,
  label,
}: {
  value: object;
  depth: number;
  root: object;
  label?: string;
}) {
  const [shown, setShown] = useState(step);
  const entries = entriesOf(value);
  if (entries.length === 0) {
    return <p className={styles.quiet}>{Array.isArray(value) ? '[ ]' : '{ }'}</p>;
  }
  const rest = entries.length - shown;
  return (
    <ul aria-label={label}>
      {entries.slice(0, shown).map(([key, item]) => (
        <Line key={key} name={key} value={item} depth={depth} root={root} />
      ))}
      {rest > 0 && (
        <li>
          <button
            type="button"
            className={classNames('link', valueStyles.more)}
            onClick={() => setShown(shown + step * 10)}
          >
            Show {count(Math.min(rest, step * 10))} more of {count(entries.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

function Line({
  name,
  value,
  depth,
  root,
}: {
  name: string;
  value: unknown;
  depth: number;
  root: object;
}) {
  const [isOpen, setOpen] = useState(
    () => isBranch(value) && isOpenAtFirst(value, depth + 1, root),
  );
  const key = <span className={styles.key}>{visibleText(name)}</span>;
  if (!isBranch(value) || Object.keys(value).length === 0) {
    return (
      <li>
        <div className={styles.line}>
          <span className={styles.twist} />
          {key}
          <Leaf value={value} />
        </div>
      </li>
    );
  }
  const size = Object.keys(value).length;
  return (
    <li>
      <button
        type="button"
        className={styles.line}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.twist}>
          <Icon name={isOpen ? 'down' : 'right'} small />
        </span>
        {key}
        <span className={styles.size}>
          {Array.isArray(value) ? `[ ${count(size)} ]` : `{ ${count(size)} }`}
        </span>
        {!isOpen && <span className={styles.preview}>{visibleText(previewOf(value))}</span>}
      </button>
      {isOpen && <Branch value={value} depth={depth + 1} root={root} />}
    </li>
  );
}

/** Characters of a string shown initially. */
const shownAtFirst = 600;

/** A value without children. */
function Leaf({ value }: { value: unknown }) {
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
          … <ShowAll count={text.length} noun="characters" onClick={() => setAll(true)} />
        </>
      ) : (
        '"'
      )}
    </span>
  );
}
