export { all, any, not, type WeightedOptions, weighted } from './combine.js';
export { deepEquals, type EqualityOptions, equals, oneOf } from './equality.js';
export type { GraderOptions } from './grader.js';
export {
  type Ask,
  type Judge,
  type Judged,
  type JudgeExample,
  type PairwiseOptions,
  pairwise,
  type RubricOptions,
  rubric,
} from './judge.js';
export { type Language, language, refuses } from './language.js';
export { cost, type LimitOptions, latency, tokens, words } from './limits.js';
export { between, type CloseToOptions, closeTo, type NumberOptions } from './numbers.js';
export { isJson, type JsonSchema, type StandardSchema, schema } from './schema.js';
export {
  contains,
  containsAny,
  excludes,
  matches,
  type SimilarOptions,
  similar,
  startsWith,
  type TextOptions,
} from './text.js';
export { type ToolsOptions, tools, type WantedTool } from './tools.js';
