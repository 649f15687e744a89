import { type ReactNode, useState } from 'react';
import { correctedText, pText } from '../../../../src/text/chance-text.js';
import { findsAtMostAll } from '../../../../src/text/detectable-text.js';
import { driftMark } from '../../../../src/text/judge-drift-text.js';
import type { AgainstBase, ComparedRun, RunComparison } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { Dialog } from '../../components/controls/dialog.js';
import { Field } from '../../components/controls/field.js';
import { Switch } from '../../components/controls/switch.js';
import { chanceText, verdictOf } from '../../components/figures/difference-text.js';
import { count, counted, signed } from '../../components/figures/figures.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { letterOf } from '../letters.js';
import { RunTag } from '../run-tag.js';
import styles from './differences-dialog.module.css';
import { type MovedScore, movedFirst } from './measures.js';
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

/** Every paired difference with its verdict, p-value and interval, and the verdicts of the gates: what moved first. */
export function DifferencesDialog({
  comparison: { runs, comparisons },
  isOpen,
  onClose,
}: {
  comparison: RunComparison;
  isOpen: boolean;
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const [isMovedOnly, setMovedOnly] = useState(false);
  const keys = new Set(comparisons.flatMap(({ scores }) => scores.map(({ key }) => key)));
  return (
    <Dialog
      title="All differences"
      isOpen={isOpen}
      onClose={onClose}
      width={1080}
      tools={
        <span className={styles.tools}>
          <Field
            small
            className={styles.search}
            icon="search"
            label="Search scores"
            placeholder={`Search ${counted(keys.size, 'score')}`}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Switch isOn={isMovedOnly} onChange={setMovedOnly}>
            Only what moved
          </Switch>
        </span>
      }
    >
      <div
        className={styles.body}
        role="region"
        aria-label="Differences"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with keys, too
        tabIndex={0}
      >
        {comparisons.map((against, n) => (
          <Against
            key={against.run_id}
            sides={runs.filter((_, position) => position === 0 || position === n + 1)}
            against={against}
            run={n + 1}
            search={search}
            isMovedOnly={isMovedOnly}
          />
        ))}
        <p className={styles.note}>
          Values and differences are over the same pairs: only evaluations of both runs count, one
          with trials by its mean. p is from a paired permutation test of each measure by itself;
          beside it, p corrected for the number of measures whose data could show something (Holm):
          below .05 it is beyond chance. Too little data: not even a change of all pairs that differ
          would be beyond chance. Can find: the smallest drop that this test finds 4 times in 5.{' '}
          {noVerdictText(comparisons)} {unboundedNote(comparisons)}
        </p>
      </div>
    </Dialog>
  );
}

interface Part {
  readonly title?: string;
  readonly scores: readonly (readonly MeasureInWords[])[];
}

/** The measures of a comparison in parts: what moved, what did not, and what gets no verdict. */
function partsOf(against: AgainstBase, search: string, isMovedOnly: boolean): readonly Part[] {
  const wanted = search.trim().toLowerCase();
  const lines = measureLines(against)
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map((line) => ({ ...line, differences: [line.test] }));
  const { passRate, moved, rest } = movedFirst(lines.filter(({ test }) => test !== undefined));
  const linesOf = (scores: readonly MovedScore<MeasureInWords>[]) =>
    scores.map((score) => score.lines);
  const amounts = lines.filter(({ test }) => test === undefined);
  const parts: readonly Part[] = [
    { scores: [...(passRate ? [[passRate]] : []), ...linesOf(moved)] },
    { title: `${count(rest.length)} did not move`, scores: linesOf(rest) },
    { title: 'without a verdict', scores: amounts.length > 0 ? [amounts] : [] },
  ];
  return parts.slice(0, isMovedOnly ? 1 : parts.length).filter(({ scores }) => scores.length > 0);
}

function Against({
  sides,
  against,
  run,
  search,
  isMovedOnly,
}: {
  /** The base and this run. */
  sides: readonly ComparedRun[];
  against: AgainstBase;
  run: number;
  search: string;
  isMovedOnly: boolean;
}) {
  const { gates, run_name } = against;
  const parts = partsOf(against, search, isMovedOnly);
  const among = against.scores.find((score) => score.among !== null)?.among;
  const shown = parts.flatMap(({ scores }) => scores.flat());
  const ends = tellingEnds(shown.map(({ name }) => name));
  return (
    <section className={styles.against} aria-label={`Differences of ${run_name}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className={styles.runs}>
                <RunTag run={run} small /> <b>{run_name}</b> against <RunTag run={0} small />
              </span>
            </th>
            <th scope="col">difference</th>
            <th scope="col" className={styles.verdict}>
              verdict
            </th>
            <th scope="col">p</th>
            <th scope="col">among {among ?? against.pass_rate.among ?? 1}</th>
            <th scope="col">95 % interval</th>
            <th scope="col" className={styles.side}>
              A
            </th>
            <th scope="col" className={styles.side}>
              {letterOf(run)}
            </th>
            <th scope="col" className={styles.pairs}>
              pairs
            </th>
            <th
              scope="col"
              className={styles.finds}
              title="The smallest drop that this test finds 4 times in 5"
            >
              can find
            </th>
          </tr>
        </thead>
        {parts.map(({ title, scores }) => (
          <tbody key={title ?? ''}>
            {title !== undefined && (
              <tr className={styles.part}>
                <th scope="rowgroup" colSpan={10}>
                  {title}
                </th>
              </tr>
            )}
            {scores.flatMap((lines) =>
              lines.map((line, n) => (
                <LineRow
                  key={`${line.type} ${line.name}`}
                  line={line}
                  nameEnd={ends.get(line.name)}
                  isBeside={line.key !== undefined && n > 0}
                />
              )),
            )}
          </tbody>
        ))}
      </table>
      {shown.length === 0 && (
        <p>{search === '' ? 'Nothing moved.' : `Nothing like “${search}”.`}</p>
      )}
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

function LineRow({
  line,
  nameEnd,
  isBeside,
}: {
  line: MeasureInWords;
  nameEnd: number | undefined;
  /** It stands beside the measure that stands for its score. */
  isBeside: boolean;
}) {
  const { base, other, difference, interval } = cellsOf(line);
  const { test } = line;
  const verdict = test && verdictOf(test);
  return (
    <tr className={classNames(verdict && styles.moved, isBeside && styles.beside)}>
      <th scope="row" className={styles.score}>
        <MiddleCut text={line.name} end={nameEnd} />
      </th>
      <td className={styles.difference}>{difference}</td>
      <td className={styles.verdict}>
        <Verdict line={line} />
      </td>
      <td className={styles.p}>{test?.p == null ? '' : pText(test.p)}</td>
      <td className={styles.p}>
        {test?.p_adjusted != null && (
          <>
            {correctedText(test.p_adjusted)}
            <span className={styles.among}> among {test.among}</span>
          </>
        )}
      </td>
      <td className={styles.interval}>{interval}</td>
      <td className={styles.side}>{base}</td>
      <td className={styles.side}>{other}</td>
      <td className={styles.pairs}>{count(line.pairs)}</td>
      <td className={styles.finds}>{detectableText(line)}</td>
    </tr>
  );
}

/** `▼ worse`, or why a difference has no such verdict; and whether the judge of the score is another one. */
function Verdict({ line: { test, judge_drift: drift } }: { line: MeasureInWords }): ReactNode {
  const verdict = test && verdictOf(test);
  const isDown = (test?.difference?.estimate ?? 0) < 0;
  return (
    <>
      {verdict !== undefined ? (
        <b className={verdict}>{`${isDown ? '▼' : '▲'} ${verdict}`}</b>
      ) : (
        <span className="faint">{test === undefined ? 'no verdict' : notMovedText(test)}</span>
      )}
      {drift && <span className={styles.drift}>{driftMark(drift)}</span>}
    </>
  );
}

function notMovedText(test: NonNullable<MeasureInWords['test']>): string {
  return test.p === null && test.not_tested === undefined ? '' : chanceText(test);
}
