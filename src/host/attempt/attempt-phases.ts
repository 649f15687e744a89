import { type AttemptHandle, createContext } from '../../authoring/create-context.js';
import type { ExpandedCase } from '../../authoring/options/expand-cases.js';
import type { UserFunction } from '../../authoring/options/parse-options.js';
import type { CallRole } from '../../model/calls/model-call.js';
import type { StoredCalls } from '../../model/calls/stored-calls.js';
import { keptValues } from '../../model/kept-here.js';
import type { KeptValues } from '../../model/kept-values.js';
import type { JsonObject } from '../../model/result.js';
import { mergeScoreRules, type ScoreRules } from '../../model/scores/score-rule.js';
import type { RunContext, StoredValues } from '../../protocol/messages.js';
import type { Outcome } from '../../protocol/outcome.js';
import { type RecordingLookups, sumLookups } from '../../recordings/recording.js';
import { type Converted, halfCharacter } from '../../values/convert.js';
import { isEmptyPlain, readField } from '../../values/inspect-value.js';
import { inexactIn, type Keeping } from '../../values/keep-value.js';
import type { LooseEnd } from '../fingerprints/loose-ends.js';
import { authoredLosses, type ImportedCase, whyInexact } from '../imported-evaluations.js';
import { lossTexts, Sanitizer } from '../sanitizer.js';
import { assertionScore, errorText, isTransportFailure, messageText } from '../thrown.js';
import { type Attempt, currentScope, type Interruption, type Scope } from './attempt.js';
import { GradedView, gradeBy } from './grading.js';
import type { Steps } from './run-coroutine.js';
import { isStream, StreamReading } from './stream-reading.js';

/** Target, body and evaluators of one attempt, and what they have produced so far. */
export class AttemptPhases {
  readonly #attempt: Attempt;
  readonly #entry: ImportedCase;
  readonly #rules: ScoreRules | undefined;
  readonly #handle: AttemptHandle;
  /** The folder to which file names are relative. */
  readonly #folder: string;
  readonly scope: Scope;
  #phase: 'target' | 'body' | 'evaluators' = 'target';
  #targetFinished: boolean;
  /** Grading it again would lose the scores of the target. */
  #targetHasScored = false;
  /** Absent without a target: the body makes the output. */
  readonly #gradedView: GradedView | undefined;
  #error: string | null = null;
  /** What was thrown, so that it is an error; several for evaluators. */
  #thrown: readonly unknown[] = [];
  /** The output while it is a stream that is being read. */
  #reading: StreamReading | undefined;

  constructor(attempt: Attempt, entry: ImportedCase, run: RunContext, folder: string) {
    const { stored, trial } = attempt.task;
    const { spec, name, file, descriptor } = entry;
    this.#attempt = attempt;
    this.#entry = entry;
    this.#folder = folder;
    this.#targetFinished = stored !== undefined;
    const hasTarget = spec.target !== undefined && stored === undefined;
    this.scope = { caller: attempt, role: hasTarget ? 'target' : 'body' };
    this.#rules = mergeScoreRules(run.scoreRules, spec.scores);
    const of = gradedCase(spec, stored);
    this.#handle = createContext(of, {
      run,
      attempt,
      evalPath: file,
      functionName: name,
      dataset: descriptor.dataset,
      scoreRules: this.#rules,
      trial,
      output: stored?.output,
      traceData:
        stored === undefined ? {} : (stored.seenTraceData ?? Sanitizer.traceData(stored.traceData)),
    });
    if (stored?.latency != null) this.#handle.measured(stored.latency);
    attempt.context = this.#handle.context;
    if (spec.target !== undefined) this.#gradedView = new GradedView(this.#handle.context, of);
    if (stored !== undefined) this.#beginGrading();
  }

  *run(): Steps<void> {
    try {
      if ((yield* this.#runTarget()) && (yield* this.#runBody())) yield* this.#runEvaluators();
    } catch (error) {
      // Between its functions: an evaluation may have given its context a getter that throws.
      this.#fail(error);
    }
    const rest = this.#attempt.calls?.readRest();
    if (rest !== undefined) yield rest;
  }

  *#runTarget(): Steps<boolean> {
    const { target } = this.#entry.spec;
    if (target === undefined || this.#targetFinished) return true;
    const started = performance.now();
    try {
      const output = yield target(this.#handle.context);
      if (output !== undefined) this.#handle.context.output = output;
      if (isStream(this.#handle.context.output)) yield* this.#readStream(started);
      this.#targetFinished = true;
      this.#targetHasScored = this.#handle.scoreCalls() > 0;
      this.#beginGrading();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    } finally {
      this.#measured('target', started);
    }
  }

  #beginGrading(): void {
    this.#gradedView?.begin();
    this.#attempt.beginGrading();
  }

  /** Replayed and refused calls say nothing about latency, so the attempt has none. */
  #measured(role: CallRole, started: number): void {
    if (this.#attempt.notTimed?.has(role)) this.#handle.notTimed();
    else this.#handle.measured(this.#attempt.secondsSince(started));
  }

  #runAs(role: CallRole, run: UserFunction, args: unknown): unknown {
    if (role === this.scope.role) return run(args);
    return currentScope.run({ caller: this.#attempt, role }, run, args);
  }

  /** Replaces a stream by its content. */
  *#readStream(started: number): Steps<void> {
    const { context } = this.#handle;
    const { output, traceData } = context;
    const reading = new StreamReading(output as object, this.#attempt.signal, () => {
      traceData.timeToFirstChunk ??= this.#attempt.secondsSince(started);
    });
    this.#reading = reading;
    try {
      yield reading.finish();
    } finally {
      context.output = reading.value;
      this.#reading = undefined;
    }
  }

  *#runBody(): Steps<boolean> {
    const { body, spec } = this.#entry;
    if (body === undefined) return true;
    this.#phase = 'body';
    const key = spec.defaultScoreKey;
    const callsBefore = this.#handle.scoreCalls();
    const started = performance.now();
    try {
      try {
        yield this.#runAs('body', body, this.#handle.context);
      } finally {
        // Evaluators come also after an assertion that failed.
        if (isStream(this.#handle.context.output)) yield* this.#readStream(started);
      }
      const graded = this.#handle.scoreCalls() > callsBefore;
      if (!graded) this.#handle.addScores([{ key, passed: true }]);
      return true;
    } catch (error) {
      const failed = assertionScore(error, key, this.#folder);
      if (failed !== undefined) {
        this.#handle.addScores([failed]);
        return true;
      }
      this.#fail(error);
      return false;
    } finally {
      if (spec.target === undefined) this.#measured('body', started);
    }
  }

  *#runEvaluators(): Steps<void> {
    this.#phase = 'evaluators';
    const { evaluators } = this.#entry.spec;
    if (evaluators.length === 0) return;
    const args = this.#handle.evaluatorArgs();
    const { scores, failures } = yield* gradeBy(evaluators, this.#rules, args, this.#attempt);
    for (const given of scores) this.#handle.addScores(given);
    if (failures.length === 0) return;
    this.#error = failures.map(({ text }) => text).join('\n');
    this.#thrown = failures.map(({ thrown }) => thrown);
  }

  #fail(thrown: unknown): void {
    this.#error = errorText(thrown);
    this.#thrown = [thrown];
  }

  /** True for an error that says nothing of the evaluation: a model could not be reached, and nothing else ended it. */
  #isTransport(interruption: Interruption | undefined): boolean {
    if (interruption !== undefined || this.#attempt.refusal !== undefined) return false;
    const calls = this.#attempt.calls?.inTransport() ?? [];
    return (
      this.#thrown.length > 0 && this.#thrown.every((thrown) => isTransportFailure(thrown, calls))
    );
  }

  /** The current result, as JSON; `code` is the hash of the evaluation's modules. */
  outcome(
    interruption: Interruption | undefined,
    sanitizer: Sanitizer,
    code: string | undefined,
    looseEnd?: LooseEnd,
  ): Outcome {
    const { context } = this.#handle;
    const attempt = this.#attempt;
    const calls = this.#storeCalls();
    attempt.recording?.save();
    const value = this.#reading === undefined ? readField(context, 'output') : this.#reading.value;
    const regradable =
      this.#entry.spec.target !== undefined && this.#targetFinished && !this.#targetHasScored;
    const output = sanitizer.value(value);
    const about = readField(context, 'metadata');
    const metadata = sanitizer.object(about);
    const keptOutput = regradable ? sanitizer.keeping(value, output) : undefined;
    this.#warn({ output, metadata, keptOutput }, sanitizer);
    // With all warnings.
    const shown = readField(context, 'traceData');
    const traceData = sanitizer.trace(shown, attempt);
    const keepings = keptOutput && {
      output: keptOutput,
      metadata: sanitizer.keeping(about, metadata),
      traceData: sanitizer.keepingTrace(shown, traceData),
    };
    const error =
      attempt.refusal ??
      (interruption === undefined ? this.#error : this.#interruptionText(interruption));
    const changesMetadata = this.#changes(metadata.value, sanitizer);
    // All fields at once: those that are spread or added take longer than all others.
    return {
      status: error === null ? 'completed' : 'error',
      output: output.value,
      scores: sanitizer.scores(this.#handle.scores()),
      error: error === null ? null : sanitizer.text(error),
      latency: this.#handle.latency(),
      startedAt: performance.timeOrigin + attempt.startedAt,
      trace_data: traceData,
      metadata: changesMetadata ? metadata.value : undefined,
      regradable,
      kept: keepings && this.#kept(keepings, changesMetadata),
      inexact: keepings && this.#inexact(keepings, changesMetadata, sanitizer),
      exact:
        (keepings?.output.isExact &&
          keepings.metadata.isExact &&
          keepings.traceData.isExact &&
          (calls === undefined || attempt.calls?.areExact(calls) === true) &&
          looseEnd?.isOpen !== true &&
          this.#gradedView?.isUnchanged()) ||
        undefined,
      hazard: looseEnd?.hazard,
      code,
      calls,
      lookups: this.#lookups(sanitizer),
      no_draw: this.#isTransport(interruption) || undefined,
    };
  }

  #lookups(sanitizer: Sanitizer): RecordingLookups | undefined {
    const { recording, importRecording } = this.#attempt;
    const all = [importRecording, recording].flatMap((one) => one?.lookups ?? []);
    const lookups = sumLookups(all);
    return lookups && sanitizer.lookups(lookups);
  }

  /** Says what the stored values do not show; those of an earlier grading have been told then. */
  #warn({ output, metadata, keptOutput }: StoredForms, sanitizer: Sanitizer): void {
    const { task, warnings } = this.#attempt;
    const add = (texts: readonly string[]) => {
      for (const text of texts) warnings.add(text);
    };
    if (task.stored === undefined) {
      const hasContent = output.losses?.some(({ kind }) => kind === 'content') !== true;
      const mended = hasContent ? keptOutput : undefined;
      if (mended?.mend !== undefined) warnings.add(warningOf(mended));
      add(lossTexts('output', output, mended));
      add(authoredLosses(this.#entry.spec, sanitizer));
    }
    add(lossTexts('metadata', metadata));
    for (const { key, notes } of this.#handle.scores()) {
      if (notes?.isWellFormed() === false) {
        warnings.add(
          `the notes of score ${JSON.stringify(key)} have ${halfCharacter}, stored as U+FFFD`,
        );
      }
    }
  }

  /** What is stored beside the JSON of values that this attempt has made. */
  #kept(
    { output, metadata, traceData }: Keepings,
    changesMetadata: boolean,
  ): KeptValues | undefined {
    return keptValues({
      output: this.#attempt.task.stored === undefined ? output.kept : undefined,
      metadata: changesMetadata ? metadata.kept : undefined,
      trace_data: traceData.kept,
    });
  }

  /** Why the values that grading saw cannot be restored. */
  #inexact(
    { output, metadata, traceData }: Keepings,
    changesMetadata: boolean,
    sanitizer: Sanitizer,
  ): string | undefined {
    const why = changesMetadata ? metadata.inexact : undefined;
    const ofMetadata = why && inexactIn('metadata', why);
    const ofTrace = traceData.inexact && inexactIn('trace data', traceData.inexact);
    if (this.#attempt.task.stored !== undefined) return ofMetadata ?? ofTrace;
    const found =
      output.inexact ?? whyInexact(this.#entry.spec, sanitizer) ?? ofMetadata ?? ofTrace;
    return found === undefined ? undefined : sanitizer.text(found);
  }

  /** A call that cannot be stored must not cost the result. */
  #storeCalls(): StoredCalls | undefined {
    try {
      return this.#attempt.storeCalls();
    } catch (error) {
      this.#attempt.warnings.add(`the calls could not be stored: ${messageText(error)}`);
      return undefined;
    }
  }

  #changes(metadata: JsonObject, sanitizer: Sanitizer): boolean {
    const authored = this.#attempt.task.stored?.metadata ?? this.#entry.spec.metadata;
    if (isEmptyPlain(metadata) && isEmptyPlain(authored)) return false;
    const before = sanitizer.object(authored).value;
    return JSON.stringify(before) !== JSON.stringify(metadata);
  }

  #interruptionText({ reason, error }: Interruption): string {
    switch (reason) {
      case 'timeout':
        return `timed out after ${this.#attempt.task.timeout} s in its ${this.#phase}`;
      case 'held':
        return `timed out after ${this.#attempt.task.timeout} s and held its process in its ${this.#phase} (an endless loop?)${framesOf(error)}`;
      case 'stop':
        return 'was stopped';
      case 'exit':
        return errorText(error).replace(/^ExitCalled: /, '');
      default:
        return `uncaught: ${errorText(error)}`;
    }
  }
}

/** Values of an attempt as they are stored. */
interface StoredForms {
  readonly output: Converted;
  readonly metadata: Converted;
  /** Absent where nobody can grade the output again. */
  readonly keptOutput: Keeping | undefined;
}

/** How the values of an attempt are stored. */
interface Keepings {
  readonly output: Keeping;
  readonly metadata: Keeping;
  readonly traceData: Keeping;
}

/** What to do about an output that is not stored as the target returned it. */
function warningOf({ inexact, mend }: Keeping): string {
  return `the output cannot be graded again: it is not stored as the target returned it (${inexact}). ${mend}`;
}

/** The values that an attempt sees: what is not stored comes from the case. */
function gradedCase(spec: ExpandedCase, stored: StoredValues | undefined): ExpandedCase {
  if (stored === undefined) return spec;
  const { metadata, authored = spec } = stored;
  // What a case leaves out is stored as null.
  const of = (name: 'input' | 'reference') =>
    authored[name] === null && spec[name] === undefined ? undefined : authored[name];
  return { ...spec, input: of('input'), reference: of('reference'), metadata };
}

/** The user's lines of a stack, each after a line feed. */
function framesOf(error: unknown): string {
  const frames = errorText(error).split('\n').slice(1);
  return frames.map((frame) => `\n${frame}`).join('');
}
