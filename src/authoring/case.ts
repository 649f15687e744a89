import type { CallLimits } from '../model/calls/call-rules.js';
import type { ScoreRules } from '../model/scores/score-rule.js';
import type { TargetContext } from './context.js';
import type { Evaluator, MaybePromise } from './evaluator.js';

/** Options of both evaluations and their cases. */
export interface CaseOptions<Input, Reference> {
  /** Input of the target. Default: `undefined`. */
  input?: Input | undefined;
  /** Value to compare the output with. Default: `undefined`. */
  reference?: Reference | undefined;
  /** Another name for `reference`; giving both with different values is an error. */
  expected?: Reference | undefined;
  /** Facts to keep with the result; a case's are merged over the evaluation's. Default: `{}`. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Words to select by; a case's are added to the evaluation's. Default: none. */
  labels?: readonly string[] | undefined;
  /** Name of the data the evaluation belongs to. Default: the file's name without `.eval.*`. */
  dataset?: string | undefined;
  /** Number of trials, 1 to 1000. Default: the setting `trials`, 1. */
  trials?: number | undefined;
  /** Seconds for one attempt, at most 86400: target, body and evaluators together. Default: the setting `timeout`, 300. */
  timeout?: number | undefined;
  /**
   * Limits for the model calls of one attempt: `{ calls: 50, tokens: 200_000, cost: 0.5 }` (US dollars). At a limit
   * the next call throws, and the result is an error. Default: no limits.
   */
  limits?: CallLimits | undefined;
  /**
   * What a worker of a distributed run must offer to run it, such as `['gpu']` for `assay worker --offers gpu`; runs on
   * one machine ignore it. A case's replace the evaluation's. Default: nothing.
   */
  requires?: readonly string[] | undefined;
  /** Key of scores without one, and of the verdict of assertions. Default: `correctness`. */
  defaultScoreKey?: string | undefined;
  /**
   * Rules for values of scores, by score key: `{ accuracy: { threshold: 0.8 }, tokens: { better: 'lower' },
   * judge: { scale: [0, 100] } }`. A `passed` that an evaluator gives wins; a value outside of its scale is an error. A case's rules are merged over the evaluation's, key by key, and those over
   * `scores` of the settings file. Default: values give no verdict, higher is better, and
   * the scale is recognised from the values.
   */
  scores?: ScoreRules | undefined;
  /** Leaves it out; the summary says how many were. Default: `false`. */
  skip?: boolean | undefined;
  /** If any selected evaluation or case has it, only those run. Default: `false`. */
  only?: boolean | undefined;
}

/** One input to evaluate, with options that override those of the evaluation. */
export interface Case<Input = unknown, Reference = unknown> extends CaseOptions<Input, Reference> {
  /** Unique in the evaluation, 1 to 200 printable characters. Default: the position, from 0. */
  id?: string | number | undefined;
  /** Used instead of the evaluation's target. */
  target?: ((ctx: TargetContext<NoInfer<Input>, NoInfer<Reference>>) => unknown) | undefined;
  /** Used instead of the evaluation's evaluators. */
  evaluators?:
    | // biome-ignore lint/suspicious/noExplicitAny: the output's type comes from a target that is not known here
    readonly Evaluator<NoInfer<Input>, any, NoInfer<Reference>>[]
    | undefined;
}

/** Any number of cases: an array, a generator, a stream. */
export type CaseSource<Input, Reference> =
  | Iterable<Case<Input, Reference>>
  | AsyncIterable<Case<Input, Reference>>;

/** Cases, or a function that makes or reads them; it is called when evaluations are discovered. */
export type Cases<Input = unknown, Reference = unknown> =
  | CaseSource<Input, Reference>
  | (() => MaybePromise<CaseSource<Input, Reference>>);
