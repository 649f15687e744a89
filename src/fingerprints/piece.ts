/** Something that the result of an evaluation depends on: `graders.ts (politeness)`, `openai@4.1.0`. */
export interface Piece {
  readonly name: string;
  readonly hash: string;
}
