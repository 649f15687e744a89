import { differingParams } from '../../../src/model/param-text.js';
import styles from './params.module.css';
import type { VariantHead } from './scatter.js';

/** A run, as far as its params are known. */
type Parameterized = Pick<VariantHead, 'params'>;

/** The params of a run that differ between runs, as chips; a param that this run does not have is a dash. */
export function ParamChips({ runs, at }: { runs: readonly Parameterized[]; at: number }) {
  const { params } = runs[at] ?? {};
  return (
    <span className={styles.params}>
      {differingParams(runs).map((name) => (
        <span key={name} className={styles.param} title={`${name}: ${paramText(params?.[name])}`}>
          <span className="sr">{name} </span>
          {paramText(params?.[name])}
        </span>
      ))}
    </span>
  );
}

/** A value of a param: text as it is, all else as JSON; a dash where there is none. */
export function paramText(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
