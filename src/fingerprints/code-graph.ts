import type { Piece } from '../model/code/evaluation-code.js';
import type { ModuleFacts } from './module-facts.js';

/** The modules of a project as they were loaded, with what the analysis found in each. */
export interface CodeGraph {
  /** By absolute real path. Linked packages are included. */
  readonly modules: ReadonlyMap<string, CodeModule>;
  readonly packages: CodePackages;
  /** What every target depends on: the versions of Node and of assay, the time zone. */
  readonly runtime: readonly Piece[];
  /** Why nothing may be carried over, whatever it loads. */
  readonly hazard?: string | undefined;
  /** Names of packages that keep no state between target and grading, beside the known ones. */
  readonly statelessPackages?: readonly string[];
}

/** A module of the project. */
export interface CodeModule {
  /** Path relative to the project, with slashes. */
  readonly name: string;
  readonly facts: ModuleFacts;
  /** What else decides what its text means, such as the type of its package. */
  readonly settings?: string;
  /**
   * Everything that the loader resolved for this module, `require()` and `import()` included: keys of `modules`, or files
   * of packages. Builtins and `assay` may be missing.
   */
  readonly imports: readonly (readonly [specifier: string, file: string])[];
}

/** The installed packages. */
export interface CodePackages {
  /** `name@version` of the package of a file, then of all on which it depends; none for other files. */
  idsOf(file: string): readonly string[];
  /** The packages that are loaded with a file; none for other files. */
  pieces(file: string): readonly Piece[];
}
