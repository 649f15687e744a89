import { isCount, isObject, isStrings } from '../json.js';
import {
  both,
  type Fitting,
  isFlag,
  isText,
  listOf,
  named,
  nullOr,
  object,
  oneOf,
  optional,
  recordOf,
  type Shape,
} from '../shapes.js';
import type { Piece } from './evaluation-code.js';

const arePositions = listOf(isCount);

/** The code of one evaluation: numbers of lists of pieces. */
const isEvaluationCode = object({
  /** What its target and cases can reach. */
  target: arePositions,
  /** What its body and evaluators can reach; of it, what its target reaches does not count. */
  grading: arePositions,
  /** Its grading shares nothing with its target that could change. */
  isClosed: isFlag,
  /** Why its code cannot say what it depends on, such as `starts a process`. */
  hazard: optional(isText),
});

const isFileCode = object({
  /** Name of the file. */
  file: isText,
  /** The `code` of results that it gives. */
  code: isText,
  /** By id of the evaluation. */
  evaluations: recordOf(isEvaluationCode),
});

/** The code of an eval file and of everything that it imported. */
export interface FileCode extends Fitting<typeof isFileCode> {}

const isPiece = (value: unknown): value is Piece =>
  Array.isArray(value) && value.length === 2 && value.every(isText);

export const foundCode = {
  /** See `codeRule`; absent for the first rule. */
  rule: optional(isCount),
  pieces: listOf(isPiece),
  /** Positions of pieces. */
  lists: listOf(arePositions),
  /** Names of the modules of which all counts; not stored, only for those who explain. */
  wholes: optional(isStrings),
  files: listOf(isFileCode as Shape<FileCode>),
};
const hasCode = object(foundCode);

/** The code of eval files that were looked at together: what they share is in it once. */
export interface FoundCode extends Fitting<typeof hasCode> {}

/** True for {@link FoundCode}, also with other fields. */
export const isFoundCode: Shape<FoundCode> = both(
  hasCode,
  named('code whose positions are there', (value: unknown): value is FoundCode => {
    const { pieces, lists, files } = value as FoundCode;
    const codes = files.flatMap(({ evaluations }) => Object.values(evaluations));
    return (
      lists.every((list) => list.every((at) => at < pieces.length)) &&
      codes.every((one) => [...one.target, ...one.grading].every((at) => at < lists.length))
    );
  }),
);

/** What an earlier rule stored of an eval file; nothing else of it is read. */
const isOldCode = object({ rule: optional(isCount), file: isText, code: isText });

export type StoredCode = FoundCode | Fitting<typeof isOldCode>;

/** True for {@link StoredCode}, also with other fields. */
export function isStoredCode(value: unknown): value is StoredCode {
  return isObject(value) && value.files !== undefined ? isFoundCode(value) : isOldCode(value);
}

/** The eval files of stored code. */
export function filesOf(code: StoredCode): readonly Pick<FileCode, 'file' | 'code'>[] {
  return 'files' in code ? code.files : [code];
}

const isRead = object({
  kind: oneOf('file', 'folder', 'exists', 'variable', 'recordings'),
  /**
   * Path relative to the working directory with `/`, or the name of a variable. For recordings: the eval file whose they
   * are, or empty for all.
   */
  name: isText,
  /** `null` if it was not there, `changing` if it changed while evaluations ran. */
  hash: nullOr(isText),
});

/**
 * Something that code looked at: the content of a file, the names in a folder, whether a path exists, an environment
 * variable, or the recordings that may answer its calls.
 */
export interface Read extends Fitting<typeof isRead> {}

/** The hash of something that changed while evaluations ran. It equals nothing. */
export const changing = 'changing';

export const areReads: Shape<readonly Read[]> = listOf(isRead);
const hasReads = object({ file: isText, reads: areReads });

/** What the evaluations of an eval file looked at. */
export interface FileReads extends Fitting<typeof hasReads> {
  /** Variables have the hashes that are stored; only until then. */
  readonly areHashed?: true;
}

/** True for {@link FileReads}, also with other fields. */
export const isFileReads: Shape<FileReads> = hasReads as Shape<FileReads>;

/** True for {@link CaseFingerprint}. */
export const isCaseFingerprint = object({
  /** Of everything that its target can see. */
  case: isText,
  /** Of its score key and the rules of its scores. */
  grading: isText,
});

/** Hashes of what the plan of a row says. */
export interface CaseFingerprint extends Fitting<typeof isCaseFingerprint> {}
