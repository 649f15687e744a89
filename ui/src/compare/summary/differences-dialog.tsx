import { findsAtMostAll } from '../../../../src/text/detectable-text.js';
import type { AgainstBase, ComparedRun, RunComparison } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { Button } from '../../components/controls/button.js';
import { Dialog, DialogEnd } from '../../components/controls/dialog.js';
import { count, signed } from '../../components/figures/figures.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { letterOf } from '../letters.js';
import { RunTag } from '../run-tag.js';
import styles from './differences-dialog.module.css';
import {
  carriedNote,
  cellsOf,
  leftOutTexts,
  type MeasureInWords,
  measureLines,
  noVerdictText,
  scoreNotes,
  unboundedNote,
} from './words.js';

/** Every paired difference with its interval and p-value, and the verdicts of the gates. */
export function DifferencesDialog({
  comparison: { runs, comparisons },
  isOpen,
  onClose,
}: {
  comparison: RunComparison;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title="Differences from A" isOpen={isOpen} onClose={onClose} width={860}>
      {comparisons.map((against, n) => (
        <Against
          key={against.run_id}
          sides={runs.filter((_, position) => position === 0 || position === n + 1)}
          against={against}
          run={n + 1}
        />
      ))}
      <p className={styles.note}>
        Values and differences are over the same pairs: only evaluations of both runs count, one
        with trials by its mean. p is from a paired permutation test of each measure by itself;
        beyond chance is what remains after a correction for the number of measures (“.031, .125
        among 4”). Too little data: not even a change of all pairs that differ would be beyond
        chance. {noVerdictText(comparisons)} {unboundedNote(comparisons)}
      </p>
      <DialogEnd>
        <Button onClick={onClose}>Close</Button>
      </DialogEnd>
    </Dialog>
  );
}

function Against({
  sides,
  against,
  run,
}: {
  /** The base and this run. */
  sides: readonly ComparedRun[];
  against: AgainstBase;
  run: number;
}) {
  const { gates, run_name } = against;
  const lines = measureLines(against);
  const ends = tellingEnds(lines.map(({ name }) => name));
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
              <th scope="col">difference</th>
              <th scope="col">95 % interval</th>
              <th scope="col">A</th>
              <th scope="col">{letterOf(run)}</th>
              <th scope="col">pairs</th>
              <th scope="col" title="The size of a difference that is detected with 80 % power">
                finds 4 in 5
              </th>
              <th scope="col">p</th>
              <th scope="col">
                <span className="sr">chance</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <LineRow
                key={`${line.type} ${line.name}`}
                line={line}
                nameEnd={ends.get(line.name)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {carriedNote(against) && <p>{carriedNote(against)}.</p>}
      {[...leftOutTexts(against), ...scoreNotes(sides, against)].map((text) => (
        <p key={text}>{text}.</p>
      ))}
      <p>Regression: {gates.regression.text}.</p>
      <p>New failures: {gates.new_failures.text}.</p>
    </section>
  );
}

/** `6.1`; a dash if unknown, `all` if nothing less than the loss of all is found. */
function detectableText({ base, type, test }: MeasureInWords): string {
  const detectable = test?.detectable ?? null;
  if (detectable === null) return test === undefined ? '' : '–';
  if (type === 'ratio' && findsAtMostAll({ base, detectable })) return 'all';
  return signed(detectable, type).replace(/^\+/, '');
}

function LineRow({ line, nameEnd }: { line: MeasureInWords; nameEnd: number | undefined }) {
  const cells = cellsOf(line);
  return (
    <tr className={classNames(line.test?.beyond_chance && styles.clear)}>
      <th scope="row">
        <MiddleCut text={line.name} end={nameEnd} />
      </th>
      <td>{cells.difference}</td>
      <td>{cells.interval}</td>
      <td>{cells.base}</td>
      <td>{cells.other}</td>
      <td>{count(line.pairs)}</td>
      <td>{detectableText(line)}</td>
      <td>{cells.p}</td>
      <td>{cells.chance}</td>
    </tr>
  );
}
