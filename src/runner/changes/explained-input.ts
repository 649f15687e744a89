import type { TextDifference } from '../../text/first-difference.js';

/** The parts of the fingerprint of a row, in the order in which they are shown. */
export const explainedParts = ['case', 'params', 'target', 'grading', 'reads', 'runtime'] as const;

/** Something that a result depends on, then and now. */
export interface ExplainedInput {
  readonly part: (typeof explainedParts)[number];
  /** A module, declaration, package, file or variable; absent where the part is one value. */
  readonly name?: string;
  /** `unknown` where nothing is known of then, or of now. */
  readonly state: 'same' | 'changed' | 'appeared' | 'gone' | 'unknown';
  /** Hashes; absent where there is none. */
  readonly before?: string;
  readonly now?: string;
  /** A module of which all counts. */
  readonly isWhole?: true;
  /** The first lines that differ; absent where there is no text. */
  readonly line?: TextDifference;
}
