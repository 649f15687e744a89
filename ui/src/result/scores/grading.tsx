import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type BulkEdit, useEditResults } from '../../api/actions.js';
import type { ReadResult } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { useKeptResult, useResult } from '../../api/queries.js';
import type { Score } from '../../api/schema.js';
import { notify, notifyError } from '../../app/notices.js';
import { useShortcut } from '../../app/shortcuts.js';
import { sharedValue } from '../../browser/shared-value.js';
import { classNames } from '../../components/class-names.js';
import { Button, IconButton, usePressable } from '../../components/controls/button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { resultAddress } from '../addresses.js';
import { standingFrom } from '../attempts.js';
import type { Walk } from '../navigation.js';
import { visibleText } from '../values/visible-text.js';
import styles from './grading.module.css';
import { sent } from './score-draft.js';

/** A verdict of a person, which can be taken back. */
interface Made {
  /** Identifies the change. */
  readonly at: string;
  /** The score as it was. */
  readonly was: Score;
}

interface GradedResult {
  readonly run: string;
  readonly index: number;
}

/** The verdicts that were given in this tab, by result; the last one is taken back first. */
const kept = sharedValue<ReadonlyMap<string, readonly Made[]>>(new Map());

const nameOf = ({ run, index }: GradedResult) => `${run} ${index}`;
const madeIn = (of: GradedResult) => kept.get().get(nameOf(of)) ?? [];
const keep = (of: GradedResult, made: readonly Made[]) =>
  kept.set(new Map([...kept.get(), [nameOf(of), made]]));

let waiting: Promise<unknown> = Promise.resolve();

/** Changes scores one after the other, so that each change is of what the one before has left. */
function useChanges() {
  const cache = useQueryClient();
  const edit = useEditResults();
  const save = async ({ run, index }: GradedResult, change: BulkEdit) => {
    const { at, changed } = await edit.mutateAsync({ run_id: run, indices: [index], ...change });
    await cache.invalidateQueries({ queryKey: keys.result(run, index), exact: true });
    return changed.length > 0 ? at : undefined;
  };
  const later = (act: () => Promise<unknown>) => {
    waiting = waiting.then(act).catch(notifyError);
  };
  return {
    change: (of: GradedResult, score: Score, toChange: (was: Score) => BulkEdit) =>
      later(async () => {
        const page = cache.getQueryData<ReadResult>(keys.result(of.run, of.index));
        const was = page?.result.result.scores.find(({ key }) => key === score.key) ?? score;
        const at = await save(of, toChange(was));
        if (at !== undefined) keep(of, [...madeIn(of), { at, was }]);
      }),
    /** Takes back the last verdict in the result that `find` names. */
    undo: (find: () => GradedResult | undefined, onKey?: (key: string) => void) =>
      later(async () => {
        const of = find();
        const last = of && madeIn(of).at(-1);
        if (of === undefined || last === undefined) return;
        onKey?.(last.was.key);
        const at = await save(of, { undo: last.at });
        keep(of, madeIn(of).slice(0, -1));
        if (at === undefined) notify('The scores were changed since: that verdict stays.');
      }),
  };
}

/** Takes back the last verdict that was given in any result of these runs. */
export function useUndoIn(runs: readonly string[]): void {
  const { undo } = useChanges();
  useShortcut('undo', () =>
    undo(() => {
      const graded = [...kept.get()].flatMap(([name, made]) => {
        const [run = '', index] = name.split(' ');
        const at = made.at(-1)?.at;
        return at !== undefined && runs.includes(run) ? [{ run, index: Number(index), at }] : [];
      });
      return graded.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
    }),
  );
}

/** Grades the focused score of a result by keys. Each verdict is saved at once. `first`: scores to begin with, if one of them failed. */
export function useGrading(
  { run_id: run, index, result: { result } }: ReadResult,
  first: readonly string[] = [],
) {
  const { change, undo } = useChanges();
  const of = { run, index };
  const made = kept.use().get(nameOf(of)) ?? noneMade;
  const [chosen, setChosen] = useState<{ readonly key: string; readonly isByKey: boolean }>();
  const order = inOrder(gradable(result.scores), made);
  const score = order.find(({ key }) => key === chosen?.key) ?? firstToGrade(order, first);
  const focus = (key: string, isByKey = false) => setChosen({ key, isByKey });
  return {
    score,
    isByKey: chosen?.isByKey === true,
    made,
    focus,
    step: (by: number) => {
      const at = order.findIndex(({ key }) => key === score?.key);
      const next = order[(at + by + order.length) % order.length];
      if (next) focus(next.key, true);
    },
    /** `undefined`: back to what the evaluator said. */
    grade: (passed: boolean | undefined) => {
      if (score === undefined) return;
      focus(score.key);
      change(of, score, (was) =>
        passed === undefined ? { restore: was.key } : { score: { ...sent(was), passed } },
      );
    },
    undo: () => undo(() => of, focus),
  };
}

const noneMade: readonly Made[] = [];

export type Grading = ReturnType<typeof useGrading>;

/** Two scores with the same key cannot be told apart. */
function gradable(scores: readonly Score[]): readonly Score[] {
  return scores.filter(({ key }) => scores.filter((other) => other.key === key).length === 1);
}

/** Where a score is listed: one that was graded on this page stays in its place. */
export function placedAs(score: Score, made: readonly Made[]): Score {
  return made.find(({ was }) => was.key === score.key)?.was ?? score;
}

function inOrder(scores: readonly Score[], made: readonly Made[]): readonly Score[] {
  const rank = (score: Score) => {
    const { passed } = placedAs(score, made);
    return passed === undefined ? 1 : passed ? 2 : 0;
  };
  return scores.toSorted((a, b) => rank(a) - rank(b));
}

/** The first failing one without a human verdict, of the wanted ones if there is one, else the first. */
function firstToGrade(order: readonly Score[], wanted: readonly string[]): Score | undefined {
  const open = order.filter(({ passed, source }) => passed === false && source !== 'human');
  return open.find(({ key }) => wanted.includes(key)) ?? open[0] ?? order[0];
}

/** The keys that grade. `onNote`: writes a note for a score. */
export function useGradingKeys(grading: Grading, onNote: (key: string) => void): void {
  const { score, undo } = grading;
  const isOn = score !== undefined;
  useVerdictKeys(grading);
  useShortcut('undo', undo, isOn);
  useShortcut('note', () => score && onNote(score.key), isOn);
}

function useVerdictKeys({ score, step, grade }: Grading): void {
  const isOn = score !== undefined;
  useShortcut('scores', ({ shiftKey }) => step(shiftKey ? -1 : 1), isOn);
  useShortcut('verdict', ({ key }) => grade(verdictOf[key]), isOn);
}

const verdictOf: Readonly<Record<string, boolean>> = { 1: true, 2: false };

/** Pass, fail and clear for the focused score. */
function Verdicts({ grading, hasKeys }: { grading: Grading; hasKeys: boolean }) {
  const { score, grade } = grading;
  const key = (text: string) => hasKeys && <Kbd>{text}</Kbd>;
  return (
    <span className={styles.verdicts} role="group" aria-label={`Verdict of ${score?.key}`}>
      <Verdict isPressed={score?.passed === true} onClick={() => grade(true)}>
        <StatusIcon standing="passed" label={null} />
        Pass {key('1')}
      </Verdict>
      <Verdict isPressed={score?.passed === false} onClick={() => grade(false)}>
        <StatusIcon standing="failed" label={null} />
        Fail {key('2')}
      </Verdict>
      <Verdict onClick={() => grade(undefined)}>Clear {key('u')}</Verdict>
    </span>
  );
}

function Verdict({
  isPressed,
  ...rest
}: { isPressed?: boolean } & Parameters<typeof usePressable>[0]) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      {...usePressable({ needsServer: true, ...rest })}
    />
  );
}

/** What is below the focused score: its verdict to choose, and what it was. */
export function GradeBox({ grading }: { grading: Grading }) {
  const { score, made, isByKey, undo } = grading;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isByKey) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isByKey]);
  const last = made.findLast(({ was }) => was.key === score?.key)?.was;
  return (
    <div ref={box} className={styles.box}>
      <Verdicts grading={grading} hasKeys />
      <p className={styles.hint}>
        <span role="status">{last && wasText(last)}</span>
        {last ? (
          <Button look="ghost" small needsServer onClick={undo}>
            Undo <Kbd>z</Kbd>
          </Button>
        ) : (
          <>
            <Kbd>n</Kbd> note <Kbd>s</Kbd> next score
          </>
        )}
      </p>
    </div>
  );
}

function wasText({ passed, source }: Score): string {
  const verdict = passed === undefined ? 'without a verdict' : passed ? 'passed' : 'failed';
  return `was ${verdict}${source === 'human' ? ', by hand' : ''}`;
}

/** The focused score of one of several results that are shown, in a line; nothing until the result is read. */
export function GradeLine({ run, index, first }: GradedResult & { first: readonly string[] }) {
  const { data: page } = useResult(run, index);
  const isIt = page?.run_id === run && page.index === index && !hasOtherOutput(page.result);
  return (
    <div className={styles.line}>
      {isIt && <GradeLineOf key={nameOf({ run, index })} page={page} first={first} />}
    </div>
  );
}

function GradeLineOf({ page, first }: { page: ReadResult; first: readonly string[] }) {
  const grading = useGrading(page, first);
  useVerdictKeys(grading);
  const { score } = grading;
  if (score === undefined) return <span className="quiet">no score to grade</span>;
  return (
    <>
      <span className={classNames('cut', styles.key)}>{visibleText(score.key)}</span>
      <Verdicts grading={grading} hasKeys />
      <span className={classNames('quiet', styles.more)}>
        <Kbd>s</Kbd> next score
      </span>
    </>
  );
}

/**
 * True for a repeat whose output is not that of the attempt that counts: what a person says of the one says nothing of the
 * other.
 */
export function hasOtherOutput({ counted, result }: ReadResult['result']): boolean {
  if (counted === undefined) return false;
  return (
    counted.status !== result.status ||
    JSON.stringify(counted.output) !== JSON.stringify(result.output)
  );
}

/** The focused score at the bottom edge, where the scores are in a sheet. */
export function GradeStrip({ grading, walk }: { grading: Grading; walk: Walk }) {
  const [, navigate] = useLocation();
  const { score, step } = grading;
  const next = walk.next;
  if (score === undefined) return null;
  return (
    <div className={styles.strip} role="toolbar" aria-label="Grade">
      <span className={classNames('cut', styles.key)}>{visibleText(score.key)}</span>
      <Verdicts grading={grading} hasKeys={false} />
      <span className="fill" />
      <IconButton
        icon="right"
        label="Next score"
        className={styles.square}
        onClick={() => step(1)}
      />
      {next && (
        <IconButton
          icon="arrowDown"
          label={`Next ${oneOf(walk.word)}`}
          className={styles.square}
          onClick={() =>
            navigate(resultAddress(walk.view, next.run, next.index), {
              replace: true,
              state: next.state,
            })
          }
        />
      )}
    </div>
  );
}

/** The result that `j` leads to; it is loaded ahead. */
export function NextLine({
  walk: { next, view, word },
  isMarked,
}: {
  walk: Walk;
  isMarked: boolean;
}) {
  const { data: page } = useKeptResult(next?.run ?? '', next?.index ?? -1);
  if (next === undefined || page === undefined) return null;
  const { function: name, trial, result } = page.result;
  return (
    <Link
      className={classNames(styles.next, isMarked && styles.marked)}
      href={resultAddress(view, next.run, next.index)}
      replace
      state={next.state}
    >
      <span className="quiet">next {oneOf(word)}</span>
      <StatusIcon standing={standingFrom(result)} size="chip" />
      <span className={classNames('mono', 'fill', styles.name)}>
        <MiddleCut text={visibleText(trial === undefined ? name : `${name}~${trial}`)} />
      </span>
      <Kbd>j</Kbd>
    </Link>
  );
}

const oneOf = (word: string) => word.replace(/s$/, '');
