import { Fragment, memo, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useResult } from '../../api/queries.js';
import type { Pair, TableRow } from '../../api/schema.js';
import { classNames } from '../../components/class-names.js';
import { EvaluationName, nameParts } from '../../components/names/evaluation-name.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { promptsHref } from '../../prompts/prompts-view.js';
import styles from './pair-row.module.css';
import { type PairLook, PairSide } from './pair-side.js';
import { verdictTags } from './pair-words.js';

/** Longer texts do not fit into the lines that are shown at first, in characters. */
const shownAtFirst = 240;

/** One case in all runs. */
export const PairRow = memo(function PairRow({
  pair,
  look,
  nameEnd,
  isOpen,
  gradedRun,
}: {
  pair: Pair;
  look: PairLook;
  /** Length of the end that tells its name from others. */
  nameEnd: number | undefined;
  isOpen: boolean;
  /** The position of the run that keys grade, if this is the focused pair. */
  gradedRun: number | undefined;
}): ReactNode {
  const [evaluation, testCase] = nameParts(pair.function);
  const first = pair.runs.findIndex((side) => side.row !== null);
  const row = pair.runs[first]?.row;
  return (
    <>
      <div className={styles.id} role="rowheader">
        <p className={classNames(styles.name, !isOpen && styles.cut)} title={pair.id}>
          {isOpen ? (
            <EvaluationName name={pair.function} />
          ) : look.isStacked ? (
            <MiddleCut text={evaluation} rest={testCase} end={nameEnd} />
          ) : (
            <>
              <MiddleCut text={evaluation} end={testCase === '' ? nameEnd : undefined} />
              {testCase !== '' && <MiddleCut text="" rest={testCase} end={nameEnd} />}
            </>
          )}
        </p>
        <p className={styles.sub}>
          <span>{pair.dataset}</span>
          {row?.labels.map((label) => (
            <span key={label} className="faint">
              #{label}
            </span>
          ))}
        </p>
        <p className={styles.tags}>
          {verdictTags(pair).map(({ kind, text, moved }) => (
            <Fragment key={text}>
              <span className={classNames(styles.tag, styles[kind])}>
                {text}
                {kind === 'regressed' && look.worse.has(pair.id) && ' beyond chance'}
              </span>
              {moved && <span className={styles.moved}>{moved}</span>}
            </Fragment>
          ))}
        </p>
        {isOpen && row && (
          <>
            <OpenedInput name="input" run={look.runIds[first] ?? ''} row={row} />
            <OpenedInput name="reference" run={look.runIds[first] ?? ''} row={row} />
            {hasCalls(pair) && (
              <Link
                href={promptsHref(look.runIds, pair.id)}
                className={styles.more}
                tabIndex={-1}
                title="What of the requests differs between A and B"
              >
                Compare prompts
              </Link>
            )}
          </>
        )}
      </div>
      {look.runIds.map((id, run) => (
        <PairSide
          key={id}
          pair={pair}
          run={run}
          look={look}
          isOpen={isOpen}
          isGraded={run === gradedRun}
        />
      ))}
    </>
  );
});

/** Whether both of the first runs called models for it, so that there is something to compare. */
function hasCalls({ runs }: Pair): boolean {
  return runs.slice(0, 2).every(({ row }) => (row?.usage?.calls ?? 0) > 0);
}

/** Input or reference of an opened pair; a long one is shown in part, with a button that shows all of it. */
function OpenedInput({ name, run, row }: Opened) {
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

interface Opened {
  readonly name: 'input' | 'reference';
  readonly run: string;
  readonly row: TableRow;
}

function WholeText({ name, run, row }: Opened) {
  const { data } = useResult(run, row.index);
  if (data?.index !== row.index) return row[name];
  const value = data.result.result[name];
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
