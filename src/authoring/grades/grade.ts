/** A grade as user code writes it. At least one of `passed` and `value` must be given. */
export interface ScoreInput {
  /** The graded property, 1 to 200 characters. Default: the evaluator's name, or the default score key. */
  readonly key?: string | undefined;
  readonly passed?: boolean | undefined;
  /** A finite number, on the scale of the metric. */
  readonly value?: number | undefined;
  /** Lower values are better. Default: higher ones, or what the rules of `scores` say. */
  readonly better?: 'lower' | undefined;
  /** Explanation. */
  readonly notes?: string | undefined;
}

/** A score in the shape of the `autoevals` package. */
export interface NamedGrade {
  /** A number becomes `value`, a boolean `passed`; `null` means that there is nothing to grade. */
  readonly score: number | boolean | null;
  /** The score's key. Default: the evaluator's name. */
  readonly name?: string | undefined;
  /** A string under `rationale`, `reasoning`, `reason` or `explanation` becomes the notes. */
  readonly metadata?: unknown;
  /** A failure of the scorer: with `score: null`, the evaluator counts as having thrown it. */
  readonly error?: unknown;
}

/** Everything an evaluator may return; `null` and `undefined` mean no score. */
export type Grade =
  | ScoreInput
  | NamedGrade
  | readonly (ScoreInput | NamedGrade)[]
  | boolean
  | number
  | null
  | undefined;

/** Sets scores; a score with a key that is already there replaces the earlier one. */
export interface ScoreFunction {
  /** Under the default score key, unless the score names its own. A boolean is `passed`, a number `value`. */
  (score: boolean | number | ScoreInput): void;
  /** Under `key`. A boolean is `passed`, a number `value`. */
  (key: string, value: boolean | number, notes?: string): void;
}
