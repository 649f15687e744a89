import { AssayError } from '../errors.js';
import {
  drawnOf,
  drawStrata,
  isSameLabel,
  labelledOutput,
  type ReviewLabel,
  type ReviewSample,
  rubricOfText,
  type SampleRequest,
} from '../model/labels.js';
import type { RowFacts } from '../model/result.js';
import { seededRandom } from '../statistics/random.js';
import { shortHash } from '../text/short-hash.js';
import type { LabelRecord, LabelsRecord, RubricsRecord } from './log/records.js';
import { checkName } from './names.js';
import type { RubricTexts, RunReview } from './replay/run-review.js';

/** A label as it is given; `verdict: null` takes back the one before. `at`: absent for now. */
export interface GivenLabel
  extends Omit<ReviewLabel, 'at' | 'output_hash' | 'verdict'>,
    Partial<Pick<ReviewLabel, 'at'>>,
    Pick<LabelRecord, 'verdict'> {}

/** What a review is of. */
interface Reviewed {
  readonly runId: string;
  readonly rows: readonly RowFacts[];
  readonly review: RunReview;
}

/**
 * The log line of a label; `undefined` if it is there already. Errors: `no-such-result`; `no-output` for a result that has
 * none, or does not count; `bad-request` for an invalid name, and for a sample that does not have the result.
 */
export function toLabelRecord(
  { runId, rows, review }: Reviewed,
  { index, note, ...given }: GivenLabel,
): LabelRecord | undefined {
  const output_hash = outputToLabel({ runId, rows }, index);
  const { sample, at = new Date().toISOString() } = given;
  if (sample !== undefined && !review.isDrawn(sample, index)) {
    const message = `Run ${runId} has no sample ${sample} with result ${index}.`;
    throw new AssayError('bad-request', message);
  }
  const reviewer = checkName(given.reviewer, 'reviewer');
  const said = review.blindOnly({ ...given, index, reviewer, output_hash, ...(note && { note }) });
  const before = review.labelsOf(index).find((one) => isSameLabel(one, said));
  const isThere = before === undefined ? said.verdict === null : isSaid(before, said);
  return isThere ? undefined : { type: 'label', at, ...said };
}

// A line of a log is read in one piece.
const mostMiB = 64;

/**
 * One line for all labels, so that whatever ends the process or fills the disk, all of them are there or none. Error:
 * `bad-request` for too many.
 */
export function toLine(records: readonly LabelRecord[]): (LabelRecord | LabelsRecord)[] {
  if (records.length < 2) return [...records];
  const labels = records.map(({ type: _, ...label }) => label);
  const size = labels.reduce((sum, label) => sum + Buffer.byteLength(JSON.stringify(label)), 0);
  if (size > mostMiB * 1024 * 1024) {
    const message = `Labels of more than ${mostMiB} MiB cannot be added at once; divide them.`;
    throw new AssayError('bad-request', message);
  }
  return [{ type: 'labels', at: new Date().toISOString(), labels }];
}

/** The hash of the output that a label of a result is of. Errors: `no-such-result`, `no-output`. */
export function outputToLabel(
  { runId, rows }: Pick<Reviewed, 'runId' | 'rows'>,
  index: number,
): string {
  const row = rows[index];
  if (row === undefined) throw noSuchResult(runId, index, rows.length);
  const hash = labelledOutput(row);
  if (hash !== undefined) return hash;
  const message = `Result ${index} has nothing to label: it has no output that counts.`;
  throw new AssayError('no-output', message);
}

function isSaid(before: ReviewLabel, { verdict, note, sample }: Omit<LabelRecord, 'at' | 'type'>) {
  return before.verdict === verdict && before.note === note && before.sample === sample;
}

/** The line with the rubrics of these labels that the log does not have yet; `undefined` if it has them. */
export function newRubrics(
  { review }: Reviewed,
  labels: readonly LabelRecord[],
  now: RubricTexts,
): RubricsRecord | undefined {
  const texts: Record<string, string> = {};
  const project: Record<string, string> = {};
  for (const { key, rubric_version: version } of labels) {
    const text = Object.hasOwn(now, key) ? now[key] : undefined;
    if (version === undefined || text === undefined || review.texts.has(version)) continue;
    if (rubricOfText(text).version !== version) continue;
    texts[version] = text;
    project[key] = version;
  }
  if (Object.keys(texts).length === 0) return undefined;
  return { type: 'rubrics', at: new Date().toISOString(), texts, project };
}

/** An evaluation, or a case of it, with its rubrics: its own, and those of its judges. */
export interface WithRubrics {
  readonly evaluation: string;
  readonly rubrics?: { readonly own: RubricTexts; readonly judges: RubricTexts } | undefined;
}

/** The line with the rubrics of a run; `undefined` if the log says the same already. */
export function toRubricsRecord(
  review: RunReview,
  found: readonly WithRubrics[],
  project: RubricTexts,
): RubricsRecord | undefined {
  const texts: Record<string, string> = {};
  const versionsOf = (given: RubricTexts) =>
    Object.fromEntries(
      Object.entries(given).map(([key, text]) => {
        const { version } = rubricOfText(text);
        texts[version] = text;
        return [key, version] as const;
      }),
    );
  const evaluations: Record<string, Record<string, string>> = {};
  const judges: Record<string, Record<string, string>> = {};
  for (const { evaluation, rubrics } of found) {
    const isKnown = Object.hasOwn(evaluations, evaluation);
    if (isKnown || (rubrics === undefined && review.rubricKeys(evaluation).length === 0)) continue;
    evaluations[evaluation] = versionsOf(rubrics?.own ?? {});
    judges[evaluation] = versionsOf(rubrics?.judges ?? {});
  }
  const said = { texts, evaluations, judges, project: versionsOf(project) };
  const isNew = Object.values(said).some((part) => Object.keys(part).length > 0);
  return isNew && !review.hasRubrics(said)
    ? { type: 'rubrics', at: new Date().toISOString(), ...said }
    : undefined;
}

/** The log line of a new sample. Errors: `nothing-selected` if nothing is left to draw; `bad-request`. */
export function toSampleRecord(
  { rows, review }: Reviewed,
  request: SampleRequest,
): ReviewSample & { readonly type: 'sample' } {
  const { by, key, seed } = request;
  refuseKind(rows, request);
  const strata = drawStrata(rows, review.samples, request, seededRandom(seed));
  if (strata === undefined) {
    throw new AssayError(
      'nothing-selected',
      'Nothing is left to draw: all results that can be labelled are in a sample of this kind.',
    );
  }
  const kind = { seed, by, ...(key !== undefined && { key }) };
  const id = sampleId(rows, { ...kind, strata });
  return { type: 'sample', at: new Date().toISOString(), id, ...kind, strata };
}

/** The same for the same draw of the same outputs, so that labels of a file fit every copy of a run. */
function sampleId(rows: readonly RowFacts[], sample: Omit<ReviewSample, 'at' | 'id'>): string {
  const drawn = drawnOf(sample).map((index) => {
    const row = rows[index];
    return row && [row.id, labelledOutput(row)];
  });
  return shortHash(JSON.stringify([sample, drawn]), 8);
}

function refuseKind(rows: readonly RowFacts[], { size, by, key }: SampleRequest): void {
  if ((by === 'verdict') !== (key !== undefined)) {
    const message = 'A sample by verdict, and no other, needs the key of a score.';
    throw new AssayError('bad-request', message);
  }
  if (by === 'verdict' && !rows.some(({ scores }) => scores.some((score) => score.key === key))) {
    throw new AssayError('bad-request', `No result has a score ${JSON.stringify(key)}.`);
  }
  const strata = new Set(rows.map(({ dataset }) => dataset)).size;
  if (by === 'dataset' && size < strata) {
    const message = `A sample by dataset needs at least one result of each of the ${strata} datasets, not ${size} in all.`;
    throw new AssayError('bad-request', message);
  }
}

/** The error for an index that a run does not have. */
export function noSuchResult(runId: string, index: number, total: number): AssayError {
  const message = `Run ${runId} has no result ${index}; it has ${total}, counted from 0.`;
  return new AssayError('no-such-result', message);
}
