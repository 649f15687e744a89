import { useQueryClient } from '@tanstack/react-query';
import { Activity, type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { hasHidden, normalName } from '../../../src/text/person-name.js';
import { isNotFound, messageOf } from '../api/problem.js';
import { useShortcut } from '../app/shortcuts.js';
import { store, useStored } from '../browser/stored-text.js';
import { Button, buttonClass } from '../components/controls/button.js';
import { Field } from '../components/controls/field.js';
import { count, counted } from '../components/figures/figures.js';
import { Empty, Unreadable } from '../components/messages/empty.js';
import { Fault } from '../components/messages/fault.js';
import { LoadingShapes } from '../components/messages/loading-shapes.js';
import { NoSuchRun } from '../components/runs/no-such-run.js';
import { defaultView } from '../dashboard/view-state.js';
import { calibrationAddress, resultAddress, reviewAddress } from '../result/addresses.js';
import { LabelPanel, noteId } from './label-panel.js';
import { drawSample, type ReviewQueue, type ReviewScope, useReviewQueue } from './queries.js';
import { ReviewBar } from './review-bar.js';
import styles from './review-page.module.css';
import { ReviewedResult } from './reviewed-result.js';
import { isLabelled, type Labelling, useLabelling, useUnsavedWarning } from './use-review.js';

const storedName = 'reviewer';

/** Results to be labelled one after the other, without anything that a judge said before. */
export function ReviewPage({ runId }: { runId: string }) {
  const query = new URLSearchParams(useSearch());
  const reviewer = useStored(storedName) ?? '';
  const review: ReviewScope = { run: runId, reviewer, scoreKeys: query.getAll('key') };
  const { data: queue, error, refetch } = useReviewQueue(review);
  const [isAsked, setAsked] = useState(false);
  const [, navigate] = useLocation();
  const back = `/?run=${encodeURIComponent(runId)}`;
  useShortcut('back', () => navigate(back));
  useEffect(() => {
    document.title = 'Review · assay';
  }, []);
  const bar = { run: runId, queue, reviewer, onReviewer: () => setAsked(true) };
  const alone = (children: ReactNode) => (
    <>
      <ReviewBar {...bar} />
      <main className={styles.alone}>{children}</main>
    </>
  );
  if ((reviewer === '' && !error) || isAsked) {
    if (queue === undefined && error === null) return alone(<ReviewLoading />);
    const first = reviewer === '' ? (queue?.reviewer ?? '') : reviewer;
    return alone(<NameForm first={first} onDone={() => setAsked(false)} />);
  }
  if (queue === undefined && error) {
    return alone(
      isNotFound(error) ? (
        <NoSuchRun
          names={[runId]}
          actions={<DashboardLink />}
          onPick={(id) => navigate(reviewAddress(id))}
        />
      ) : (
        <Unreadable
          isPage
          title="There is nothing to review"
          error={error}
          onRetry={() => void refetch()}
        />
      ),
    );
  }
  if (queue === undefined) return alone(<ReviewLoading />);
  if (queue.keys.length === 0 || queue.queue.length === 0) {
    return alone(<NoSample run={runId} queue={queue} />);
  }
  const at = query.get('at');
  return (
    <Labelled
      key={`${runId} ${reviewer}`}
      review={review}
      queue={queue}
      first={at === null ? undefined : Number(at)}
      onReviewer={() => setAsked(true)}
    />
  );
}

function Labelled({
  review,
  queue,
  first,
  onReviewer,
}: {
  review: ReviewScope;
  queue: ReviewQueue;
  first: number | undefined;
  onReviewer: () => void;
}) {
  const labelling = useLabelling(review, queue, first);
  useLabelKeys(labelling, review.run);
  useUnsavedWarning(labelling.sent);
  const { entry, item, shown, nextItem } = labelling;
  const drawn = [shown, nextItem === shown ? undefined : nextItem].filter(
    (one) => one !== undefined,
  );
  const index = entry?.index;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every result is read from its start
  useEffect(() => {
    scrollTo(0, 0);
  }, [index]);
  return (
    <>
      <ReviewBar
        run={review.run}
        queue={queue}
        reviewer={review.reviewer}
        done={labelling.done}
        waiting={labelling.sent.labels.filter(({ state }) => state === 'waiting').length}
        onReviewer={onReviewer}
      />
      <main className={styles.columns}>
        <div className={styles.main}>
          {entry === undefined ? (
            <Finished run={review.run} queue={queue} labelling={labelling} />
          ) : shown === undefined && item.error ? (
            <Unreadable
              title="This result cannot be read"
              error={item.error}
              onRetry={() => void item.refetch()}
            />
          ) : (
            shown === undefined && <ReviewLoading />
          )}
          {drawn.map((one) => (
            // The next one is drawn while nobody looks, so that it is there with the key.
            <Activity key={one.index} mode={one === shown ? 'visible' : 'hidden'}>
              <ReviewedResult
                run={review.run}
                item={one}
                isDrawn={entry?.sample !== false}
                isLabelled={entry !== undefined && isLabelled(entry)}
              />
            </Activity>
          ))}
        </div>
        <LabelPanel labelling={labelling} />
      </main>
    </>
  );
}

/** The keys of a review. */
function useLabelKeys({ label, skip, undo, step, entry }: Labelling, run: string): void {
  const [, navigate] = useLocation();
  useShortcut('verdict', ({ key }) => label(verdictOf[key] ?? 'unsure'));
  useShortcut('scores', skip);
  useShortcut('undo', undo);
  useShortcut('note', () => document.getElementById(noteId)?.focus());
  useShortcut('walk', ({ key }) => step(key === 'k' || key === 'ArrowUp' ? -1 : 1));
  useShortcut(
    'open',
    () => navigate(resultAddress(defaultView, run, entry?.index ?? 0)),
    entry !== undefined && isLabelled(entry),
  );
}

const verdictOf = { 1: 'pass', 2: 'fail' } as Readonly<Record<string, 'pass' | 'fail'>>;

/** Asks who labels. */
function NameForm({ first, onDone }: { first: string; onDone: () => void }) {
  const [name, setName] = useState(first);
  const own = normalName(name);
  const isBad = hasHidden(name);
  return (
    <Empty isPage title="Who reviews?">
      <p>Your labels are kept under this name. Several people can label the same results.</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (own === '' || isBad) return;
          store(storedName, own);
          onDone();
        }}
      >
        <Field
          autoFocus
          label="Your name"
          placeholder="Your name"
          maxLength={100}
          value={name}
          bad={isBad}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button look="primary" type="submit" disabled={own === '' || isBad}>
          Start
        </Button>
      </form>
      <Fault text={isBad ? 'The name has characters that nobody sees.' : undefined} />
    </Empty>
  );
}

/** There is nothing to label yet: offers to draw it. */
function NoSample({ run, queue }: { run: string; queue: ReviewQueue }) {
  if (queue.keys.length === 0) {
    return (
      <Empty isPage title="There is nothing to label" actions={<DashboardLink run={run} />}>
        <p>
          The run has no score with a verdict and no rubric. Say in assay.yaml what people judge by:
          rubrics: {'{ correctness: … }'}
        </p>
      </Empty>
    );
  }
  return (
    <Empty isPage title="Draw a sample">
      <p>
        Results are drawn at random, so that what you find holds for the whole run: 60 are enough to
        begin with. You label {queue.keys.map(({ key }) => key).join(', ')}, and see what the judge
        said only after you.
      </p>
      <SampleForm run={run} queue={queue} />
    </Empty>
  );
}

const strata = {
  none: 'from all results',
  dataset: 'from each dataset',
  verdict: 'as many failed as passed, by',
} as const;

/** Draws results. */
function SampleForm({
  run,
  queue,
  isMore = false,
}: {
  run: string;
  queue: ReviewQueue;
  /** There is a sample already. */
  isMore?: boolean;
}) {
  const cache = useQueryClient();
  const [size, setSize] = useState('60');
  const [by, setBy] = useState<keyof typeof strata>('none');
  const [key, setKey] = useState(queue.keys[0]?.key ?? '');
  const [fault, setFault] = useState<string>();
  const number = Number(size);
  const isBad = !Number.isInteger(number) || number < 1 || number > 100_000;
  const draw = () =>
    drawSample(cache, run, { size: number, by, ...(by === 'verdict' && { key }) }).then(
      () => setFault(undefined),
      (error: unknown) => setFault(messageOf(error)),
    );
  return (
    <form
      className={styles.sample}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBad) void draw();
      }}
    >
      <div className={styles.form}>
        <Field
          className={styles.size}
          label="Results"
          inputMode="numeric"
          value={size}
          bad={isBad}
          onChange={(event) => setSize(event.currentTarget.value)}
        />
        <span className="quiet">results</span>
        <Button look={isMore ? 'plain' : 'primary'} needsServer type="submit" disabled={isBad}>
          {isMore ? 'Draw more' : 'Draw'}
        </Button>
      </div>
      <fieldset className={styles.strata}>
        <legend className="sr">Drawn</legend>
        {Object.entries(strata).map(([id, text]) => (
          <label key={id}>
            <input
              type="radio"
              name="by"
              checked={by === id}
              onChange={() => setBy(id as keyof typeof strata)}
            />
            {text}
            {id === 'verdict' && (
              <select
                aria-label="Score"
                value={key}
                onChange={(event) => {
                  setKey(event.currentTarget.value);
                  setBy('verdict');
                }}
              >
                {queue.keys.map(({ key: one }) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </label>
        ))}
      </fieldset>
      <Fault text={isBad ? 'A whole number from 1 to 100,000.' : fault} />
    </form>
  );
}

/** All results of the queue are labelled. */
function Finished({
  run,
  queue,
  labelling,
}: {
  run: string;
  queue: ReviewQueue;
  labelling: Labelling;
}) {
  const { done, entries } = labelling;
  const left = entries.length - done;
  return (
    <Empty
      isPage
      title={
        left > 0 ? `${counted(left, 'result')} to be saved` : `All ${count(done)} are labelled`
      }
      actions={
        <Link href={calibrationAddress(run)} className={buttonClass({ look: 'primary' })}>
          See how far the judges can be trusted
        </Link>
      }
    >
      <p>
        {queue.disagreements === 0
          ? 'You agree with the judges everywhere.'
          : `${counted(queue.disagreements, 'disagreement')} with the judges.`}{' '}
        More results make the figures surer:
      </p>
      <SampleForm run={run} queue={queue} isMore />
    </Empty>
  );
}

function DashboardLink({ run }: { run?: string }) {
  return (
    <Link
      href={run === undefined ? '/' : `/?run=${encodeURIComponent(run)}`}
      className={buttonClass({ look: 'primary' })}
    >
      Open the dashboard
    </Link>
  );
}

/** The shapes of a result. */
function ReviewLoading() {
  return (
    <LoadingShapes what="the review">
      <div className={styles.shapes}>
        <i />
        <i />
        <i />
      </div>
    </LoadingShapes>
  );
}
