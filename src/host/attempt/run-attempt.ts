import type { RunContext } from '../../protocol/messages.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { LooseEnd } from '../fingerprints/loose-ends.js';
import type { ImportedCase, ImportedEvaluations } from '../imported-evaluations.js';
import type { Sanitizer } from '../sanitizer.js';
import { type Attempt, currentScope } from './attempt.js';
import { AttemptPhases } from './attempt-phases.js';
import { runCoroutine } from './run-coroutine.js';

export interface EndedAttempt {
  readonly outcome: Outcome;
  /** Resolves when functions that were given the signal have let go; absent when nothing is waited for. */
  readonly lingering?: Promise<void>;
}

/** The surroundings of an attempt. */
interface Surroundings {
  readonly run: RunContext;
  readonly sanitizer: Sanitizer;
  readonly catalogue: Pick<ImportedEvaluations, 'folder' | 'codeOf'>;
  /** Absent where what evaluations do is not watched. */
  readonly looseEndOf?: (entry: ImportedCase) => LooseEnd;
}

/**
 * Makes one attempt: target, then body, then evaluators, until they end or something ends them. True when they have
 * returned without waiting for anything: the caller then says when the attempt ends (`attempt.end`).
 */
export function runAttempt(
  attempt: Attempt,
  entry: ImportedCase,
  { run, sanitizer, catalogue, looseEndOf }: Surroundings,
  onEnded: (ended: EndedAttempt) => void,
): boolean {
  const phases = new AttemptPhases(attempt, entry, run, catalogue.folder);
  let work: Promise<void> | undefined;
  let onReturn: (() => void) | undefined;
  // First, because functions may end the attempt before they return.
  attempt.onEnd((interruption) => {
    attempt.stopTimer();
    const code = catalogue.codeOf(attempt.task.id);
    const outcome = phases.outcome(interruption, sanitizer, code, looseEndOf?.(entry));
    if (interruption?.reason === 'held') {
      const returned = new Promise<void>((resolve) => {
        onReturn = resolve;
      });
      onEnded({ outcome, lingering: work ?? returned.then(() => work) });
      return;
    }
    const mustLetGo = interruption?.reason === 'timeout' || interruption?.reason === 'stop';
    onEnded(mustLetGo && work !== undefined ? { outcome, lingering: work } : { outcome });
  });
  work = currentScope.run(phases.scope, runCoroutine, phases.run());
  onReturn?.();
  if (work === undefined) return true;
  void work.then(() => attempt.end());
  if (attempt.isRunning) attempt.startTimer();
  return false;
}
