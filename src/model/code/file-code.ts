import { isCount, isObject } from '../json.js';
import type { Piece } from './evaluation-code.js';

/** The code of one evaluation: positions in the pieces of its file. */
interface StoredEvaluationCode {
  /** What its target and cases can reach. */
  readonly target: readonly number[];
  /** What its body and evaluators can reach. */
  readonly grading: readonly number[];
  /** Its grading shares nothing with its target that could change. */
  readonly isClosed: boolean;
  /** Why its code cannot say what it depends on, such as `starts a process`. */
  readonly hazard?: string | undefined;
}

/** The rule by which code is compared; pieces of another one say nothing about today's. */
export const codeRule = 3;

/** The code of an eval file and of everything that it imported. */
export interface FileCode {
  /** See {@link codeRule}; absent for the first rule. */
  readonly rule?: number | undefined;
  /** Name of the file. */
  readonly file: string;
  /** The `code` of results that it gives. */
  readonly code: string;
  readonly pieces: readonly Piece[];
  /** Positions of the pieces that are modules of which all counts; not stored, only for those who explain. */
  readonly wholes?: readonly number[] | undefined;
  /** By id of the evaluation. */
  readonly evaluations: { readonly [evaluation: string]: StoredEvaluationCode };
}

const readKinds = ['file', 'folder', 'exists', 'variable', 'recordings'] as const;

/**
 * Something that code looked at: the content of a file, the names in a folder, whether a path exists, an environment
 * variable, or the recordings that may answer its calls.
 */
export interface Read {
  readonly kind: (typeof readKinds)[number];
  /**
   * Path relative to the working directory with `/`, or the name of a variable. For recordings: the eval file whose they
   * are, or empty for all.
   */
  readonly name: string;
  /** `null` if it was not there, `changing` if it changed while evaluations ran. */
  readonly hash: string | null;
}

/** The hash of something that changed while evaluations ran. It equals nothing. */
export const changing = 'changing';

/** What the evaluations of an eval file looked at. */
export interface FileReads {
  readonly file: string;
  readonly reads: readonly Read[];
  /** Variables have the hashes that are stored; only until then. */
  readonly areHashed?: true;
}

/** Hashes of what the plan of a row says. */
export interface CaseFingerprint {
  /** Of everything that its target can see. */
  readonly case: string;
  /** Of its score key and the rules of its scores. */
  readonly grading: string;
}

/** True for {@link FileCode}, also with other fields. */
export function isFileCode(value: unknown): value is FileCode {
  if (!isObject(value) || !isText(value.file) || !isText(value.code)) return false;
  const { pieces, evaluations, rule, wholes = [] } = value;
  if (rule !== undefined && !isCount(rule)) return false;
  if (!Array.isArray(pieces) || !pieces.every(isPiece) || !isObject(evaluations)) return false;
  const isPosition = (at: unknown) => isCount(at) && at < pieces.length;
  if (!Array.isArray(wholes) || !wholes.every(isPosition)) return false;
  return Object.values(evaluations).every(
    (one) =>
      isObject(one) &&
      Array.isArray(one.target) &&
      one.target.every(isPosition) &&
      Array.isArray(one.grading) &&
      one.grading.every(isPosition) &&
      typeof one.isClosed === 'boolean' &&
      (one.hazard === undefined || isText(one.hazard)),
  );
}

/** True for {@link FileReads}, also with other fields. */
export function isFileReads(value: unknown): value is FileReads {
  return (
    isObject(value) && isText(value.file) && Array.isArray(value.reads) && value.reads.every(isRead)
  );
}

/** True for {@link CaseFingerprint}. */
export function isCaseFingerprint(value: unknown): value is CaseFingerprint {
  return isObject(value) && isText(value.case) && isText(value.grading);
}

function isPiece(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isText);
}

function isRead(value: unknown): boolean {
  return (
    isObject(value) &&
    readKinds.some((kind) => kind === value.kind) &&
    isText(value.name) &&
    (value.hash === null || isText(value.hash))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
