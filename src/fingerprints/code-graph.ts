import type { ModuleFacts } from './module-facts.js';

/** The modules of a project as they were loaded, with what the analysis found in each. */
export interface CodeGraph {
  /** By absolute real path; the texts of `with { type: 'text' }` by `path?text`. Linked packages are included. */
  readonly modules: ReadonlyMap<string, CodeModule>;
  /** The direct dependencies of each package, all as `name@version`. */
  readonly packages: ReadonlyMap<string, readonly string[]>;
  /** What every target depends on: `node 24.1.0`, `assay 0.1.0`. */
  readonly runtime: readonly string[];
  /** Names of packages that keep no state between target and grading, beside the known ones. */
  readonly statelessPackages?: readonly string[];
}

/** A module of the project. */
export interface CodeModule {
  /** Path relative to the project, with slashes. */
  readonly name: string;
  readonly facts: ModuleFacts;
  /**
   * Everything that the loader resolved for this module, `require()` and `import()` included. A target is a key of
   * `modules` or a package as `name@version`. Builtins and `assay` may be missing.
   */
  readonly imports: readonly (readonly [specifier: string, target: string])[];
}
