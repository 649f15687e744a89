import type { SourcePosition } from './call-site.js';
import type { ParsedOptions, UserFunction } from './options/parse-options.js';

/** The key of the definition in an evaluation; the same in every copy of the package. */
export const evaluationBrand = Symbol.for('assay.evaluation');

/** The return value of `evaluation()`: a frozen, opaque value for the eval file to export. */
export interface Evaluation {
  readonly name: string | undefined;
  readonly [evaluationBrand]: unknown;
}

/** The plain data inside an evaluation. */
export interface Definition extends Omit<ParsedOptions, 'id'> {
  readonly labels: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly evaluators: readonly UserFunction[];
  /** Version of this data, for other copies of the package. */
  readonly format: 1;
  /** Increases with every evaluation in the process, so it gives the order in the file. */
  readonly order: number;
  readonly body?: UserFunction;
  /** Location of the call of `evaluation()`; resolved on demand. */
  readonly position: SourcePosition | undefined;
}

/** True for evaluations, including those of other copies of the package. */
export function isEvaluation(value: unknown): value is Evaluation {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, evaluationBrand) &&
    typeof (value as Evaluation)[evaluationBrand] === 'object'
  );
}

/** The definition of an evaluation. Throws if it comes from an incompatible copy of the package. */
export function definition(evaluation: Evaluation): Definition {
  const found = evaluation[evaluationBrand] as Definition; // put there by evaluation(), of whatever version
  if (found.format !== 1) {
    throw new Error('the evaluation was made by another version of assay; install one version');
  }
  return found;
}

/** Name for messages about an evaluation that may not have a name yet. */
export function describeEvaluation(of: Definition, name: string | undefined = of.name): string {
  if (name !== undefined) return `evaluation ${JSON.stringify(name)}`;
  const { position } = of;
  return position === undefined
    ? 'an evaluation without a name'
    : `the evaluation at ${position.file}:${position.line}`;
}
