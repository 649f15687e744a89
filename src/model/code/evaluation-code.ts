/** The rule by which code is compared; pieces of another one say nothing about today's. */
export const codeRule = 5;

/** Something that the result of an evaluation depends on, by the name that people read in reasons: `graders.ts (politeness)`. */
export type Piece = readonly [name: string, hash: string];

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
