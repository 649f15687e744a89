import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useShortcut } from '../app/shortcuts.js';
import { usePageBox } from '../browser/use-page-box.js';
import rowStyles from '../compare/pairs/pair-row.module.css';
import { RunTag } from '../compare/run-tag.js';
import { classNames } from '../components/class-names.js';
import { counted } from '../components/figures/figures.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { EvaluationName } from '../components/names/evaluation-name.js';
import { ScoreChip } from '../components/scores/score-chip.js';
import { gridCommand } from '../lists/grid-keys.js';
import { useRowFocus, withActiveLine } from '../lists/row-focus.js';
import { visibleText } from '../result/values/visible-text.js';
import { partingText } from './prompt-words.js';
import { type ShownSide, type TracedCase, useTraces } from './prompts-view.js';
import styles from './traces.module.css';

/** Where the traces of the cases part; virtual. The keys move a case, and open it in the second run. */
export function Traces({
  runs,
  names,
  query,
  count,
}: {
  runs: readonly string[];
  names: readonly string[];
  query: string;
  count: number;
}) {
  const [, navigate] = useLocation();
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { top } = usePageBox(body);
  const [active, setActive] = useState(0);
  const current = Math.min(active, count - 1);
  const list = useWindowVirtualizer({
    count,
    estimateSize: () => 96,
    overscan: 6,
    scrollMargin: top,
    scrollPaddingStart: 40,
    rangeExtractor: (range) => withActiveLine(range, current),
  });
  const items = list.getVirtualItems();
  const caseAt = useTraces(
    runs,
    query,
    items.map(({ index }) => index),
  );
  const { enter, listeners } = useRowFocus(grid, useRef(false));
  useShortcut('walk', enter);
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.target as Element).getAttribute('role') !== 'row') return;
    const command = gridCommand(event, 6);
    const go = (position: number) => {
      const next = Math.max(0, Math.min(count - 1, position));
      setActive(next);
      enter();
      list.scrollToIndex(next);
    };
    if (command?.type === 'move') go(current + command.by);
    else if (command?.type === 'first') go(0);
    else if (command?.type === 'last') go(count - 1);
    else if (command?.type === 'open') {
      const found = caseAt(current);
      const side = found?.sides[1];
      if (found && side) navigate(hrefOf(runs[1] ?? '', side, found), { state: wayBack() });
    } else return;
    event.preventDefault();
  };
  return (
    <div
      ref={grid}
      className={styles.grid}
      role="grid"
      aria-label="Cases by where their traces part"
      aria-rowcount={count + 1}
      onKeyDown={onKeyDown}
      {...listeners}
    >
      <div className={classNames(styles.row, styles.head)} role="row" aria-rowindex={1}>
        <span role="columnheader">Traces, where they part</span>
        {names.map((name, run) => (
          <span key={runs[run]} role="columnheader">
            <RunTag run={run} small /> {visibleText(name)}
          </span>
        ))}
      </div>
      <div ref={body} className={styles.body} style={{ height: list.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <div
            key={index}
            ref={list.measureElement}
            data-index={index}
            role="rowgroup"
            className={styles.item}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <CaseRow
              of={caseAt(index)}
              runs={runs}
              position={index + 2}
              isCurrent={index === current}
              onFocus={() => setActive(index)}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

function hrefOf(run: string, { index }: ShownSide, { call }: TracedCase): string {
  const place = call > 0 ? `#call-${call}` : '';
  return `/runs/${encodeURIComponent(run)}/results/${index}${place}`;
}

const wayBack = () => ({ comparison: `${location.pathname}${location.search}`, position: 0 });

function CaseRow({
  of,
  runs,
  position,
  isCurrent,
  onFocus,
}: {
  /** Absent until it is loaded. */
  of: TracedCase | undefined;
  runs: readonly string[];
  position: number;
  isCurrent: boolean;
  onFocus: () => void;
}) {
  const row = {
    className: classNames(styles.row, styles.case),
    role: 'row',
    'aria-rowindex': position,
    tabIndex: isCurrent ? 0 : -1,
    onFocus,
  };
  if (of === undefined) {
    return (
      <div {...row} aria-busy="true">
        <span role="rowheader" className="faint">
          Reading …
        </span>
      </div>
    );
  }
  return (
    <div {...row}>
      <div role="rowheader" className={styles.id}>
        <p className={rowStyles.name}>
          <EvaluationName name={visibleText(of.function)} />
        </p>
        <p className={styles.sub}>
          <span>{visibleText(of.dataset)}</span> <span>{partingText(of)}</span>
        </p>
        {of.change !== null && of.change !== 'same' && (
          <span className={classNames(rowStyles.tag, rowStyles[of.change] ?? rowStyles.changed)}>
            {of.change.replaceAll('_', ' ')}
          </span>
        )}
      </div>
      {of.sides.map((side, n) => (
        <Side key={runs[n]} side={side} href={hrefOf(runs[n] ?? '', side, of)} />
      ))}
    </div>
  );
}

function Side({ side, href }: { side: ShownSide; href: string }) {
  const { standing, trial, scores, calls, same, tools, step, more, answer } = side;
  const sorted = [...scores].sort((x, y) => Number(x.passed) - Number(y.passed));
  return (
    <div role="gridcell" className={styles.side}>
      <p className={styles.meta}>
        <Link href={href} state={wayBack()} tabIndex={-1} className={styles.link}>
          <StatusIcon standing={standing} />
          {trial !== undefined && <span>trial {trial}</span>}
        </Link>
        {sorted.slice(0, 3).map((score) => (
          <ScoreChip key={score.key} score={score} />
        ))}
        <span className={styles.calls}>{counted(calls, 'call')}</span>
      </p>
      {same > 0 && (
        <p className={styles.same}>
          same up to here: {counted(same, 'call')}
          {tools.length > 0 && `, ${visibleText([...new Set(tools)].join(', '))}`}
        </p>
      )}
      <Step step={step} />
      {step.kind !== 'none' && (more > 0 || answer !== undefined) && (
        <p className={styles.then}>
          then{' '}
          {[
            more > 0 ? counted(more, 'more call') : '',
            answer === undefined ? '' : `the answer: ${answer}`,
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      )}
    </div>
  );
}

const stepNames = {
  none: '',
  message: 'message',
  tool: 'tool says',
  answer: 'answer',
  calls: 'call',
} as const;

function Step({ step }: { step: ShownSide['step'] }) {
  if (step.kind === 'none') return <p className={styles.then}>ends here</p>;
  const shown = (given: unknown) => (typeof given === 'string' ? given : JSON.stringify(given));
  return (
    <div className={styles.step}>
      <span>{stepNames[step.kind]}</span>
      {step.kind === 'calls' ? (
        <div className="mono">
          {step.tools.map(({ name, arguments: given }) => (
            <p key={`${name} ${shown(given)}`}>
              <b>{visibleText(name)}</b> {visibleText(shown(given))}
            </p>
          ))}
        </div>
      ) : (
        <p>{visibleText(step.text)}</p>
      )}
    </div>
  );
}
