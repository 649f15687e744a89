import type { ReactNode } from 'react';
import type { Pair } from '../../api/schema.js';
import { count, counted } from '../../components/figures/figures.js';
import { DiffText } from './diff-text.js';
import styles from './pair-side.module.css';

/** What of the output of a run differs: paths of JSON with their values, or an excerpt about the first difference of a text. */
export function OutputDifference({
  difference,
  run,
  output,
  trial,
}: {
  difference: NonNullable<Pair['output_difference']>;
  run: number;
  /** The beginning of the output. */
  output: string;
  trial: ReactNode;
}) {
  if (difference.kind === 'json') {
    return difference.paths.length > 0 ? (
      <Paths {...difference} run={run} trial={trial} />
    ) : (
      <p className={run === 0 ? styles.output : styles.note}>
        {trial}
        {run === 0 ? output : 'the same values, their keys in another order'}
      </p>
    );
  }
  const { at, texts } = difference;
  const [base, own] = [texts[0], texts[run]];
  if (!base || !own) return <p className={styles.output}>{output}</p>;
  return (
    <p className={styles.output}>
      {trial}
      {at > 0 && '… '}
      {run === 0 ? (
        own.text
      ) : (
        <DiffText
          base={base.text}
          text={own.text}
          cut={{ base: base.cut, other: own.cut }}
          isShort
        />
      )}
    </p>
  );
}

/** Paths of JSON that differ, the same ones on the same lines in all runs, and how many values do not. */
function Paths({
  paths,
  more,
  equal,
  total,
  run,
  trial,
}: Extract<NonNullable<Pair['output_difference']>, { readonly kind: 'json' }> & {
  run: number;
  trial: ReactNode;
}) {
  return (
    <>
      {trial}
      <dl className={styles.paths}>
        {paths.map(({ path, values }) => {
          const value = values[run] ?? null;
          const isOther = run > 0 && value !== (values[0] ?? null);
          const text = value ?? 'not there';
          return (
            <div key={path}>
              <dt title={path}>{path}</dt>
              <dd title={text}>
                {isOther ? (
                  <mark className={value === null ? styles.gone : styles.other}>{text}</mark>
                ) : (
                  <span className={value === null ? 'faint' : undefined}>{text}</span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      {run === 0 && (
        <p className={styles.note}>
          {more > 0 && `${count(more)} more differ, `}
          {count(equal)} of {counted(total, 'value')} {total === 1 ? 'is' : 'are'} equal
        </p>
      )}
    </>
  );
}
