import type { SourcePosition } from './call-site.js';
import type { ParsedOptions, UserFunction } from './parse-options.js';

/** Under this key an evaluation carries its definition; the same in every copy of the package. */
export const evaluationBrand = Symbol.for('assay.evaluation');

/** What `evaluation()` returns: a frozen value for the eval file to export. What is in it is nobody's business. */
export interface Evaluation {
  readonly name: string | undefined;
  readonly [evaluationBrand]: unknown;
}

/** The plain data inside an evaluation. */
export interface Definition extends Omit<ParsedOptions, 'id'> {
  readonly labels: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly evaluators: readonly UserFunction[];
  /** Shape of this data, for another copy of the package to know. */
  readonly format: 1;
  /** Grows with every evaluation made in the process: the order of the file. */
  readonly order: number;
  readonly body?: UserFunction;
  /** Where `evaluation()` was called; found out when asked for. */
  readonly position: SourcePosition | undefined;
}

/** True for what `evaluation()` returns, also when another copy of the package made it. */
export function isEvaluation(value: unknown): value is Evaluation {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, evaluationBrand) &&
    typeof (value as Evaluation)[evaluationBrand] === 'object'
  );
}

/** What an evaluation was made of. Throws when a copy of the package made it that differs too much from this one. */
export function definition(evaluation: Evaluation): Definition {
  const found = evaluation[evaluationBrand] as Definition; // put there by evaluation(), of whatever version
  if (found.format !== 1) {
    throw new Error('the evaluation was made by another version of assay; install one version');
  }
  return found;
}

/** How messages name an evaluation that may not have a name yet. */
export function describeEvaluation(of: Definition, name: string | undefined = of.name): string {
  if (name !== undefined) return `evaluation ${JSON.stringify(name)}`;
  const { position } = of;
  return position === undefined
    ? 'an evaluation without a name'
    : `the evaluation at ${position.file}:${position.line}`;
}
