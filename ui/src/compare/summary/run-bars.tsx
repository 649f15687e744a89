import { classNames } from '../../components/class-names.js';
import { Whisker } from '../../components/figures/scale.js';
import { runColor } from '../run-tag.js';
import { type ComparedMeasure, onScale, type RunFigure } from './measures.js';
import styles from './run-bars.module.css';

/** A bar (for a mean, a diamond) for each run, with its interval as a whisker. */
export function RunBars({ measure: { type, figures, scale } }: { measure: ComparedMeasure }) {
  return (
    <span className={styles.scale} aria-hidden="true" style={{ height: 9 * figures.length + 3 }}>
      {figures.map((of, run) =>
        of.estimate === undefined ? null : (
          <Bar
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the run
            key={run}
            run={run}
            figure={of}
            estimate={of.estimate}
            isMean={type === 'avg'}
            scale={scale}
          />
        ),
      )}
    </span>
  );
}

function Bar({
  run,
  figure: { low, high },
  estimate,
  isMean,
  scale,
}: {
  run: number;
  figure: RunFigure;
  estimate: number;
  isMean: boolean;
  scale: readonly [number, number];
}) {
  const at = `${onScale(estimate, scale) * 100}%`;
  const top = 9 * run + 3;
  const from = low === null ? 0 : onScale(low, scale);
  const to = high === null ? 0 : onScale(high, scale);
  const place = isMean ? {} : { bar: onScale(estimate, scale) };
  return (
    <>
      {!isMean && (
        <i className={classNames(styles.bar, runColor(run))} style={{ top, width: at }} />
      )}
      {to > from && <Whisker from={from} to={to} {...place} top={top + 2} cap={7} />}
      {isMean && (
        <i className={classNames(styles.mean, runColor(run))} style={{ top: top - 1, left: at }} />
      )}
    </>
  );
}
