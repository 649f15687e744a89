import { Button } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Dialog, DialogEnd } from '../../components/dialog.js';
import { count, figure, percent, seconds, withoutZero } from '../../components/figures.js';
import type { AgainstBase, RunComparison } from '../comparison.js';
import { letterOf } from '../letters.js';
import { RunTag } from '../run-tag.js';
import { pText, signed } from '../signed.js';
import styles from './differences-dialog.module.css';
import { chanceText, intervalText, type SaidDifference } from './words.js';

type Type = 'ratio' | 'avg' | 'mixed' | 'seconds';

/** A measure over the pairs: what it is in both runs, and the difference. */
interface Line extends SaidDifference {
  readonly name: string;
  readonly type: Type;
  readonly base: number | null;
  readonly other: number | null;
}

/** Every paired difference with its interval and p-value, and what the gates say. */
export function DifferencesDialog({
  comparison: { comparisons },
  isOpen,
  onClose,
}: {
  comparison: RunComparison;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title="Differences from A" isOpen={isOpen} onClose={onClose} width={680}>
      {comparisons.map((against, n) => (
        <Against key={against.run_id} against={against} run={n + 1} />
      ))}
      <p className={styles.note}>
        Only evaluations of both runs count, one with trials by its mean. Intervals are from a
        bootstrap, p-values from a paired permutation test, each measure by itself; the verdict on
        regressions corrects for how many there are.
      </p>
      <DialogEnd>
        <Button onClick={onClose}>Close</Button>
      </DialogEnd>
    </Dialog>
  );
}

function Against({ against, run }: { against: AgainstBase; run: number }) {
  const { pass_rate, scores, latency, gates, run_name } = against;
  const lines: readonly Line[] = [
    { ...pass_rate, name: 'pass rate', type: 'ratio' },
    ...scores.map((score) => ({ ...score, name: score.key })),
    { ...latency, name: 'latency, s', type: 'seconds' },
  ];
  return (
    <section className={styles.against}>
      <h3>
        <RunTag run={run} />
        {run_name}
      </h3>
      <div
        className={styles.scroll}
        role="region"
        aria-label={`Differences of ${run_name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, with keys, too
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">measure</th>
              <th scope="col">A</th>
              <th scope="col">{letterOf(run)}</th>
              <th scope="col">difference</th>
              <th scope="col">95 % interval</th>
              <th scope="col">pairs</th>
              <th scope="col">p</th>
              <th scope="col">
                <span className="sr">chance</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr
                key={`${line.type} ${line.name}`}
                className={classNames(line.beyond_chance && styles.clear)}
              >
                <th scope="row">{line.name}</th>
                <td>{valueText(line.base, line.type)}</td>
                <td>{valueText(line.other, line.type)}</td>
                <td>
                  {line.difference === null ? '–' : signed(line.difference.estimate, line.type)}
                </td>
                <td>{intervalText(line, line.type)}</td>
                <td>{count(line.pairs)}</td>
                <td>{line.p_value === null ? '' : pText(line.p_value).replace(/^p (= )?/, '')}</td>
                <td>{line.p_value === null ? '' : chanceText(line.beyond_chance)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>Regression: {gates.regression.text}.</p>
      <p>New failures: {gates.new_failures.text}.</p>
    </section>
  );
}

function valueText(value: number | null, type: Type): string {
  if (value === null) return '–';
  if (type === 'seconds') return withoutZero(seconds(value));
  return type === 'ratio' ? percent(value) : figure(value);
}
