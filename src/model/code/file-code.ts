import { isCount, isObject } from '../json.js';
import type { Piece } from './evaluation-code.js';

/** The code of one evaluation: numbers of lists of pieces. */
interface StoredEvaluationCode {
  /** What its target and cases can reach. */
  readonly target: readonly number[];
  /** What its body and evaluators can reach; of it, what its target reaches does not count. */
  readonly grading: readonly number[];
  /** Its grading shares nothing with its target that could change. */
  readonly isClosed: boolean;
  /** Why its code cannot say what it depends on, such as `starts a process`. */
  readonly hazard?: string | undefined;
}

/** The rule by which code is compared; pieces of another one say nothing about today's. */
export const codeRule = 4;

/** The code of an eval file and of everything that it imported. */
export interface FileCode {
  /** Name of the file. */
  readonly file: string;
  /** The `code` of results that it gives. */
  readonly code: string;
  /** By id of the evaluation. */
  readonly evaluations: { readonly [evaluation: string]: StoredEvaluationCode };
}

/** The code of eval files that were looked at together: what they share is in it once. */
export interface FoundCode {
  /** See {@link codeRule}; absent for the first rule. */
  readonly rule?: number | undefined;
  readonly pieces: readonly Piece[];
  /** Positions of pieces. */
  readonly lists: readonly (readonly number[])[];
  /** Names of the modules of which all counts; not stored, only for those who explain. */
  readonly wholes?: readonly string[] | undefined;
  readonly files: readonly FileCode[];
}

/** What an earlier rule stored of an eval file; nothing else of it is read. */
type OldCode = Pick<FoundCode, 'rule'> & Pick<FileCode, 'file' | 'code'>;

export type StoredCode = FoundCode | OldCode;

/** The eval files of stored code. */
export function filesOf(code: StoredCode): readonly Pick<FileCode, 'file' | 'code'>[] {
  return 'files' in code ? code.files : [code];
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

/** True for {@link FoundCode}, also with other fields. */
export function isFoundCode(value: unknown): value is FoundCode {
  if (!isObject(value)) return false;
  const { pieces, rule, wholes = [], files, lists } = value;
  return (
    (rule === undefined || isCount(rule)) &&
    isListOf(pieces, isPiece) &&
    isListOf(lists, (one) => arePositions(one, pieces)) &&
    isListOf(files, (one) => isFileCode(one, lists)) &&
    isListOf(wholes, isText)
  );
}

/** True for {@link StoredCode}, also with other fields. */
export function isStoredCode(value: unknown): value is StoredCode {
  if (!isObject(value)) return false;
  if (value.files !== undefined) return isFoundCode(value);
  return isText(value.file) && isText(value.code);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem);
}

function isFileCode(value: unknown, lists: readonly unknown[]): boolean {
  if (!isObject(value) || !isText(value.file) || !isText(value.code)) return false;
  return (
    isObject(value.evaluations) &&
    Object.values(value.evaluations).every((one) => isCode(one, lists))
  );
}

function isCode(value: unknown, lists: readonly unknown[]): boolean {
  return (
    isObject(value) &&
    arePositions(value.target, lists) &&
    arePositions(value.grading, lists) &&
    typeof value.isClosed === 'boolean' &&
    (value.hazard === undefined || isText(value.hazard))
  );
}

function arePositions(value: unknown, list: readonly unknown[]): boolean {
  return isListOf(value, (at) => isCount(at) && at < list.length);
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
