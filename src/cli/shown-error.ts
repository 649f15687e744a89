/** An error for people and, with --json, for scripts. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly hints: readonly string[];
}
