import { AssayError } from '../../errors.js';
import type { JudgedRate } from '../../statistics/corrected-rate.js';
import { missingText } from '../../text/calibration-text.js';
import { scoreName } from '../../text/score-name.js';
import { isCount, isNumber, isStrings } from '../json.js';
import {
  type Fitting,
  faultOf,
  faultText,
  isText,
  named,
  nullOr,
  object,
  optional,
  recordOf,
} from '../shapes.js';
import type { Calibration } from './calibration.js';

const version = 1;

const isShare = named('a number from 0 to 1', (value): value is number => {
  return isNumber(value) && value >= 0 && value <= 1;
});
const isSize = named('a number above 0', (value): value is number => {
  return isNumber(value) && value > 0;
});
const isSome = named('a whole number above 0', (value): value is number => {
  return isCount(value) && value > 0;
});

const isCounted = object({
  /** Version of the rubric by which people labelled. */
  rubric_version: nullOr(isText),
  /** Version of the judge: of the text of its rubric, and its options; absent if it says none, or there are several. */
  judge: optional(isText),
  /** The models that the judge called; absent if they are not known. */
  models: optional(isStrings),
  /** Results that people failed, and those that they passed. */
  m0: isSome,
  m1: isSome,
  /** The share of each of which the judge said the same. */
  q0: isShare,
  q1: isShare,
  /** Of how many independent results these shares are: fewer than m0 and m1 where trials of a case are alike. */
  size0: isSize,
  size1: isSize,
});

const isFile = object({
  assay_calibration: isCount,
  run_id: isText,
  run_name: isText,
  at: isText,
  judges: recordOf(isCounted),
});

/** How often judges were right in a run: what rates of other runs are corrected by. */
export interface CalibrationFile extends Fitting<typeof isFile> {}

/** A judge of a calibration file. */
export type CountedJudge = Fitting<typeof isCounted>;

/** A judge with its own identity. */
interface IdentifiedJudge extends Calibration {
  readonly judge_versions: readonly string[];
  readonly judge_models: readonly string[];
  /** People label by another rubric now. */
  readonly rubric_changed?: true;
}

/** Why judges are not in the file, in words: `tone needs 20 fails, has 14`. Of each score, the newest rubric counts. */
export function leftOutOf(judges: readonly IdentifiedJudge[]): string[] {
  return newestOf(judges).flatMap(({ key, figures, rubric_changed, gives, missing }) => {
    const name = scoreName(key);
    if (rubric_changed) return [`${name} has no labels by the rubric that counts now`];
    if (figures !== undefined) return [];
    if (missing !== undefined) return [`${name} ${missingText(missing)}`];
    return gives === 'values' ? [`${name} has no verdicts`] : [`${name} has no labels that count`];
  });
}

function newestOf(judges: readonly IdentifiedJudge[]): IdentifiedJudge[] {
  return judges.filter((one, i) => judges.findIndex(({ key }) => key === one.key) === i);
}

/** The judges that can be told, of each score that of the newest rubric, if it still counts; as the file that `--corrected` reads. */
export function renderCalibration(
  run: Pick<CalibrationFile, 'run_id' | 'run_name' | 'at'>,
  judges: readonly IdentifiedJudge[],
): string {
  const counted = newestOf(judges).flatMap((of) => {
    const { key, rubric_version, figures, judge_versions, judge_models, rubric_changed } = of;
    if (figures === undefined || rubric_changed) return [];
    const { tpr, tnr } = figures;
    const [judge] = judge_versions.length === 1 ? judge_versions : [];
    const own: CountedJudge = {
      rubric_version,
      ...(judge !== undefined && { judge }),
      ...(judge_models.length > 0 && { models: judge_models }),
      ...{ m0: tnr.n, m1: tpr.n, q0: tnr.estimate, q1: tpr.estimate },
      ...{ size0: tnr.size, size1: tpr.size },
    };
    return [[key, own] as const];
  });
  const file: CalibrationFile = {
    assay_calibration: version,
    ...run,
    judges: Object.fromEntries(counted),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Reads a calibration file. Errors: `bad-request`, and `newer-format` for one of a later assay. */
export function parseCalibration(text: string, name: string): CalibrationFile {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new AssayError('bad-request', `${name} is no JSON.`, { cause: error });
  }
  if (!isFile(document)) {
    const fault = faultOf(document, isFile);
    const at = fault.at === '' ? 'the document' : fault.at;
    throw new AssayError('bad-request', `${name} is no calibration: ${at} ${faultText(fault)}.`, {
      hints: ['assay sessions calibration RUN -o FILE writes one.'],
    });
  }
  if (document.assay_calibration > version) {
    throw new AssayError('newer-format', `${name} was written by a newer assay.`);
  }
  return document;
}

/** The rates of a judge as `correctedRate` takes them. */
export function ratesOf({ q0, q1, size0, size1 }: CountedJudge): Omit<JudgedRate, 'judged'> {
  return { specificity: { rate: q0, size: size0 }, sensitivity: { rate: q1, size: size1 } };
}
