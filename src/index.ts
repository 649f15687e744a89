export type { Case, CaseOptions, CaseSource, Cases } from './authoring/case.js';
export type {
  CaseFile,
  CsvOptions,
  FromCsv,
  FromRows,
  LooseCase,
  LooseRow,
  RowOptions,
} from './authoring/case-files/case-loaders.js';
export { fromCsv, fromJson, fromJsonl, fromYaml } from './authoring/case-files/case-loaders.js';
export type { BaseContext, EvalContext, TargetContext, TraceData } from './authoring/context.js';
export { currentEvaluation } from './authoring/current-evaluation.js';
export type { Evaluation } from './authoring/definition.js';
export type { Evaluate } from './authoring/evaluation.js';
export { evaluation } from './authoring/evaluation.js';
export type { Evaluator, EvaluatorArgs, MaybePromise } from './authoring/evaluator.js';
export type { Grade, NamedGrade, ScoreFunction, ScoreInput } from './authoring/grades/grade.js';
export type {
  Body,
  EvaluationDefaults,
  EvaluationOptions,
  OutputOf,
} from './authoring/options/evaluation-options.js';
export type { AnyParams, MergedParams, ParamDefaults, ParamValue } from './authoring/params.js';
export type { Score } from './model/scores/score.js';
export type { ScoreRule, ScoreRules } from './model/scores/score-rule.js';
