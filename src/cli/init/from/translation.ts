import type { Tally } from './tally.js';

/** What a file of another tool becomes. */
export interface Translation {
  /** The path that was given. */
  readonly from: string;
  readonly name: string;
  /** Files beside the original: the eval file first. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly tally: Tally;
  /** Their number; `undefined` where only the code knows. */
  readonly cases: number | undefined;
  /** The values of each param, the default first. */
  readonly params: Readonly<Record<string, readonly string[]>>;
  /** Packages that the eval file imports. */
  readonly packages: readonly string[];
  /** Cases without an evaluator. */
  readonly ungraded: number;
  /** True if it grades by a JSON Schema, for which the project needs `ajv`. */
  readonly needsAjv: boolean;
}

/** What is to be known of a project. */
export interface ProjectFacts {
  /** Packages that it names. */
  readonly packages: ReadonlySet<string>;
  /** True if its package.json says `"type": "module"`. */
  readonly isModule: boolean;
}
