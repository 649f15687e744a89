/** An error as it is shown to people and, with --json, to scripts. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly hints: readonly string[];
}
