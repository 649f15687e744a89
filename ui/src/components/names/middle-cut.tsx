import { classNames } from '../class-names.js';
import styles from './middle-cut.module.css';
import { splitEnd, usualEnd } from './telling-end.js';

/** Characters of the first part that stay, if it has more. */
const kept = 6;

/** A name on one line that gives way in the middle: first `text`, then the beginning of `rest`, never its end. */
export function MiddleCut({
  text,
  rest = '',
  end = usualEnd,
  className,
}: {
  text: string;
  /** A lighter part behind it: the case of an evaluation, in brackets. */
  rest?: string;
  /** Length of the end that is never cut. */
  end?: number | undefined;
  className?: string | undefined;
}) {
  const hasRest = rest !== '';
  const [head, tail] = splitEnd(hasRest ? rest : text, end);
  const parts = hasRest
    ? [part(text, styles.first, kept), part(head, styles.light, 1), part(tail, styles.lightEnd)]
    : [part(head, styles.first, kept), part(tail, styles.end)];
  return (
    <span
      className={classNames(styles.name, className)}
      data-cut
      style={{ '--end': `${tail.length}ch` } as object}
    >
      {/* Found, copied and read aloud; what is seen is generated from attributes, for that is in parts. */}
      <span className={styles.whole}>{`${text}${rest}`}</span>
      {parts}
    </span>
  );
}

function part(text: string, look: string | undefined, kept = Number.POSITIVE_INFINITY) {
  if (text === '') return null;
  return (
    <span
      key={look}
      aria-hidden
      data-text={text}
      className={classNames(styles.part, look, text.length > kept && styles.long)}
    />
  );
}
