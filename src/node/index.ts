export type { ErrorCode } from '../errors.js';
export { AssayError } from '../errors.js';
export type {
  Correction,
  Json,
  JsonObject,
  Result,
  ResultEntry,
  ResultStatus,
} from '../model/result.js';
export type { RunHead, RunJson, RunState, RunSummary, TrialStatistics } from '../model/run.js';
export type { Score } from '../model/scores/score.js';
export type { FinishedResult, RunEvent, RunListener } from '../runner/events.js';
export type { Estimate } from '../statistics/bounds.js';
export type { ExecuteOptions } from './execution.js';
export type { ProjectOptions, RunReferenceOptions } from './project.js';
export {
  type RegradeResultsOptions,
  type RerunResultsOptions,
  type ResumeRunOptions,
  regrade,
  rerun,
  resume,
} from './run-again.js';
export {
  type RunEvaluationsOptions,
  type RunGroupJson,
  type RunVariantsOptions,
  runEvaluations,
  type VariantOptions,
} from './run-evaluations.js';
export {
  blessRun,
  compareRuns,
  type ExportRunOptions,
  exportRun,
  type GateOptions,
  importRun,
  type JudgedRun,
  judgeGates,
  type ListedRunJson,
  listRuns,
  type OpenRun,
  openRun,
  recordings,
} from './saved-runs.js';
export type { SelectionOptions } from './selection.js';
