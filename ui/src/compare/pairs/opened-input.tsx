import { useState } from 'react';
import { useResult } from '../../api/queries.js';
import type { TableRow } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import styles from './pair-row.module.css';

/** Longer texts do not fit into the lines that are shown at first, in characters. */
const shownAtFirst = 240;

/** Input or reference of an opened pair; a long one is shown in part, with a button that shows all of it. */
export function OpenedInput({
  name,
  run,
  row,
}: {
  name: 'input' | 'reference';
  run: string;
  row: TableRow;
}) {
  const [isWhole, setWhole] = useState(false);
  const text = row[name];
  if (text === null || text === '') return null;
  const isCut = row.cut.includes(name);
  const isLong = isCut || text.length > shownAtFirst || text.split('\n').length > 8;
  return (
    <div>
      <p className={classNames(styles.input, isWhole && styles.whole)}>
        <span>{name}</span>{' '}
        {isWhole && isCut ? <WholeText name={name} run={run} row={row} /> : text}
        {isCut && !isWhole && '…'}
      </p>
      {isLong && !isWhole && (
        <button
          type="button"
          className={classNames('link', styles.more)}
          aria-label={`more of the ${name}`}
          onClick={() => setWhole(true)}
        >
          more
        </button>
      )}
    </div>
  );
}

function WholeText({
  name,
  run,
  row,
}: {
  name: 'input' | 'reference';
  run: string;
  row: TableRow;
}) {
  const { data } = useResult(run, row.index);
  if (data?.index !== row.index) return row[name];
  const value = data.result.result[name];
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
