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

/** The names of the params that are not the same in all runs. */
export function differingParams(runs: readonly Parameterized[]): readonly string[] {
  const names = [...new Set(runs.flatMap(({ params = {} }) => Object.keys(params)))];
  return names.filter(
    (name) => new Set(runs.map(({ params }) => JSON.stringify(params?.[name]))).size > 1,
  );
}

/** A value of a param: text as it is, all else as JSON; a dash where there is none. */
export function paramText(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
