import { useState } from 'react';
import type { Attempt, Result } from '../api/schema.js';
import { classNames } from '../components/class-names.js';
import { duration } from '../components/figures/figures.js';
import { RelativeTime } from '../components/figures/time.js';
import { Icon } from '../components/icons/icon.js';
import { StatusIcon } from '../components/icons/status-icon.js';
import { ScoreChip, scoreRank } from '../components/scores/score-chip.js';
import { type CaseStanding, standingOf } from '../components/scores/standing.js';
import styles from './attempts.module.css';
import { ErrorBlock } from './error/error-block.js';
import { Logs, readLogs } from './logs.js';
import { FoldedSection } from './section.js';
import { seen } from './values/value-kind.js';
import { ValueView } from './values/value-section.js';

/** All attempts of a result, the current one first; earlier ones can be opened. */
export function Attempts({ result, attempts }: { result: Result; attempts: readonly Attempt[] }) {
  const total = attempts.length + 1;
  return (
    <FoldedSection title="Attempts" note={total}>
      <ol>
        <li className={styles.line}>
          <StatusIcon standing={standingFrom(result)} />
          <span>{total}, this one</span>
          <span className={styles.figures}>
            {result.latency !== null && duration(result.latency)}
          </span>
        </li>
        {attempts.map((attempt, n) => (
          <EarlierAttempt
            key={attempt.finished_at}
            attempt={attempt}
            number={total - 1 - n}
            isOpenAtFirst={n === 0 && attempt.status === 'error'}
          />
        ))}
      </ol>
    </FoldedSection>
  );
}

function EarlierAttempt({
  attempt,
  number,
  isOpenAtFirst,
}: {
  attempt: Attempt;
  number: number;
  isOpenAtFirst: boolean;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const standing = standingFrom(attempt);
  return (
    <li>
      <button
        type="button"
        className={classNames(styles.line, styles.earlier)}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <StatusIcon standing={standing} />
        <span>
          {number} <span className="faint">{endText[standing]}</span>{' '}
          <Icon name={isOpen ? 'down' : 'right'} small />
        </span>
        <span className={styles.figures}>
          {attempt.latency !== null && `${duration(attempt.latency)}, `}
          <RelativeTime at={attempt.finished_at} />
        </span>
      </button>
      {isOpen && <AttemptDetails attempt={attempt} number={number} />}
    </li>
  );
}

function AttemptDetails({ attempt, number }: { attempt: Attempt; number: number }) {
  const { error, output, scores, trace_data } = attempt;
  const logs = readLogs(trace_data.logs);
  return (
    <div className={styles.details}>
      {error !== null && <ErrorBlock text={error} label={`Error of attempt ${number}`} />}
      {scores.length > 0 && (
        <p className={styles.chips}>
          {[...scores]
            .sort((a, b) => scoreRank(a) - scoreRank(b))
            .map((score) => (
              <ScoreChip key={score.key} score={score} />
            ))}
        </p>
      )}
      {output !== null && <ValueView found={seen(output)} label={`Output of attempt ${number}`} />}
      {logs.length > 0 && <Logs logs={logs} />}
    </div>
  );
}

const endText: Readonly<Record<CaseStanding, string>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'ended in an error',
  flaky: '',
  running: 'is running',
  pending: 'was waiting',
  cancelled: 'was cancelled',
  not_started: 'was not started',
  no_verdict: 'ended without a verdict',
  pruned: 'was pruned',
};

/** The status of a result or an attempt. */
export function standingFrom({ status, scores }: Pick<Result, 'status' | 'scores'>): CaseStanding {
  const verdicts = scores.flatMap(({ passed }) => (passed === undefined ? [] : [passed]));
  return standingOf(status, verdicts.length === 0 ? null : verdicts.every(Boolean));
}
