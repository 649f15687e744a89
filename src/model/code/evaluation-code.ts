/** Something that the result of an evaluation depends on: `graders.ts (politeness)`, `openai@4.1.0`. */
export interface Piece {
  /** As people read it in reasons. */
  readonly name: string;
  readonly hash: string;
}

/** The code of an evaluation. */
export interface EvaluationCode {
  /** Everything that target and cases can reach; everything at all if grading cannot be told apart. */
  readonly target: readonly Piece[];
  /** Everything that body and evaluators can reach. */
  readonly grading: readonly Piece[];
  /** True if grading depends on nothing that a target did, except for its output. */
  readonly isClosed: boolean;
  /** Why no result of it may be carried over: `starts a process (node:child_process)`. */
  readonly hazard?: string | undefined;
}
