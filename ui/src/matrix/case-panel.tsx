import { type ReactNode, useState } from 'react';
import { messageOf } from '../api/problem.js';
import { useResult } from '../api/queries.js';
import type { MatrixOutputs } from '../api/schema.js';
import { useDelayed } from '../browser/use-delayed.js';
import { DiffText } from '../compare/pairs/diff-text.js';
import { useOpenResult } from '../compare/pairs/result-link.js';
import { classNames } from '../components/class-names.js';
import { Button, IconButton } from '../components/controls/button.js';
import { Kbd } from '../components/controls/kbd.js';
import { count, counted, duration } from '../components/figures/figures.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { EvaluationName } from '../components/names/evaluation-name.js';
import { ScoreChips } from '../components/scores/score-chips.js';
import { standingOf, standingText } from '../components/scores/standing.js';
import styles from './case-panel.module.css';
import { cellStanding } from './cells.js';
import { type MatrixCase, useOutputs } from './queries.js';
import { VariantTag } from './variant-tag.js';

type Output = MatrixOutputs['outputs'][number];

/** Pixels that the chips of an output have. */
const chipRoom = 300;

/** A case: its input and reference, and what each run made of it, with equal outputs together. */
export function CasePanel({
  of,
  runs,
  names,
  current,
  onClose,
}: {
  of: MatrixCase;
  /** Ids. */
  runs: readonly string[];
  names: readonly string[];
  /** The run that is looked at. */
  current: number;
  onClose: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useOutputs(runs, of.id);
  const openResult = useOpenResult();
  const cell = of.cells[current];
  const isLate = useDelayed(data === undefined, 200);
  const standing = cell ? cellStanding(cell) : undefined;
  return (
    <aside
      className={classNames(styles.panel, isOpen && styles.open)}
      aria-label="Selected case"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        {standing && <StatusIcon standing={standing} size="title" />}
        <h2 title={of.id}>
          <EvaluationName name={of.function} />
        </h2>
        <span className={styles.unfold}>
          <Button look="ghost" small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Less' : 'More'}
          </Button>
        </span>
        <IconButton icon="x" label="Close panel" onClick={onClose} />
      </header>
      <p className={styles.sub}>
        <span>{of.dataset}</span>
        {data?.outputs[0]?.row.labels.map((label) => (
          <span key={label} className="faint">
            #{label}
          </span>
        ))}
        <button
          type="button"
          className={classNames('link', styles.go)}
          disabled={!cell}
          onClick={() => cell && openResult(runs[current] ?? '', cell.index, 0)}
        >
          Open in {names[current]} <Kbd>↵</Kbd>
        </button>
      </p>
      {error && data === undefined ? (
        <p className="quiet">{messageOf(error)}</p>
      ) : data ? (
        <Outputs data={data} runs={runs} names={names} current={current} />
      ) : (
        <p className="faint" aria-busy>
          {isLate ? 'Reading …' : ''}
        </p>
      )}
    </aside>
  );
}

function Outputs({
  data: { outputs, outputs_total },
  runs,
  names,
  current,
}: {
  data: MatrixOutputs;
  runs: readonly string[];
  names: readonly string[];
  current: number;
}) {
  const has = ({ results }: Output, run: number) => results.some((one) => one.run === run);
  const base = outputs.find((output) => has(output, 0));
  // What is looked at comes first, then what the base gave, then the others by how many gave it.
  const rank = (output: Output) => (has(output, current) ? 0 : has(output, 0) ? 1 : 2);
  const sorted = outputs.toSorted(
    (a, b) => rank(a) - rank(b) || b.results.length - a.results.length,
  );
  const [first] = outputs;
  const run = runs[first?.results[0]?.run ?? 0] ?? '';
  return (
    <>
      {first && <LongText title="Input" name="input" run={run} row={first.row} />}
      {first && <LongText title="Reference" name="reference" run={run} row={first.row} />}
      <h3>
        Outputs{' '}
        <small>
          {outputs_total === 1 ? 'the same everywhere' : counted(outputs_total, 'different one')}
        </small>
      </h3>
      <ul className={styles.outputs}>
        {sorted.map((output) => (
          <OutputItem
            key={`${output.results[0]?.run} ${output.results[0]?.index}`}
            output={output}
            base={rank(output) === 0 && !has(output, 0) ? base : undefined}
            {...{ runs, names, current }}
          />
        ))}
      </ul>
      {outputs_total > outputs.length && (
        <p className="quiet">{count(outputs_total - outputs.length)} more are not shown.</p>
      )}
    </>
  );
}

/** An output, the runs that gave it, and its scores. `base`: the output of the base to mark differences from. */
function OutputItem({
  output: { results, row },
  base,
  runs,
  names,
  current,
}: {
  output: Output;
  base: Output | undefined;
  runs: readonly string[];
  names: readonly string[];
  current: number;
}) {
  const by = [...new Set(results.map(({ run }) => run))];
  const times = (run: number) => results.filter((one) => one.run === run).length;
  const verdicts = new Set(results.map(({ passed }) => passed));
  const standing = standingOf(row.status, row.passed);
  const run = runs[results[0]?.run ?? 0] ?? '';
  return (
    <li>
      <p className={styles.by}>
        {by.map((one) => (
          <span key={one} title={names[one]}>
            <VariantTag run={one} isCurrent={one === current} />
            {times(one) > 1 && <small className="faint">×{times(one)}</small>}
          </span>
        ))}
        {verdicts.size > 1 ? (
          <span className="quiet">
            {results.filter(({ passed }) => passed).length} of {results.length} passed
          </span>
        ) : (
          <StatusIcon standing={standing} />
        )}
        {row.latency !== null && results.length === 1 && (
          <span className={styles.latency}>{duration(row.latency)}</span>
        )}
      </p>
      {row.scores.length > 0 && verdicts.size === 1 && (
        <p className={styles.chips}>
          <ScoreChips row={row} width={chipRoom} />
        </p>
      )}
      {row.error !== null ? (
        <LongText name="error" run={run} row={row} look={styles.error} />
      ) : row.output === null ? (
        <p className="quiet">
          {standing === 'passed' || standing === 'failed' ? 'no output' : standingText(standing)}
        </p>
      ) : base?.row.output && base.row.error === null ? (
        <pre>
          <DiffText
            base={base.row.output}
            text={row.output}
            cut={{ base: base.row.cut.includes('output'), other: row.cut.includes('output') }}
          />
          {row.cut.includes('output') && '…'}
        </pre>
      ) : (
        <LongText name="output" run={run} row={row} />
      )}
    </li>
  );
}

/** A value of a result; a long one is shown in part, with a button for all of it. */
function LongText({
  title,
  name,
  run,
  row,
  look,
}: {
  title?: string;
  name: 'input' | 'reference' | 'output' | 'error';
  run: string;
  row: Output['row'];
  look?: string | undefined;
}) {
  const [isWhole, setWhole] = useState(false);
  const text = row[name];
  if (text === null || text === '') return null;
  const isCut = row.cut.includes(name);
  return (
    <section className={styles.text}>
      {title && <h3>{title}</h3>}
      <pre className={look}>
        {isWhole ? <WholeText name={name} run={run} row={row} /> : text}
        {isCut && !isWhole && '…'}
      </pre>
      {isCut && !isWhole && (
        <button type="button" className="link" onClick={() => setWhole(true)}>
          more<span className="sr"> of the {name}</span>
        </button>
      )}
    </section>
  );
}

function WholeText({
  name,
  run,
  row,
}: {
  name: 'input' | 'reference' | 'output' | 'error';
  run: string;
  row: Output['row'];
}): ReactNode {
  const { data } = useResult(run, row.index);
  if (data?.index !== row.index) return row[name];
  const value = data.result.result[name];
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
