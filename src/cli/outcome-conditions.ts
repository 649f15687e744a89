import { AssayError } from '../errors.js';
import type { ReadableRun } from '../model/readable-run.js';
import { fieldText } from '../model/result-field.js';
import {
  type Condition,
  isPlannedField,
  isResultField,
  parseCondition,
} from '../model/selection/condition.js';
import { isPlannedCondition } from '../server/rows/groups.js';
import { StoredRun } from '../store/stored-run.js';
import { quotedName } from '../text/name-text.js';

/** A run, or the results of a file; `undefined` for a baseline file, which has none. */
type Source = StoredRun | Pick<ReadableRun, 'entries'> | undefined;

/** The first condition about what came of results; `undefined` if all ask for what was planned. */
export async function outcomeCondition(
  where: readonly string[] = [],
  run: Source,
): Promise<Condition | undefined> {
  for (const condition of where.map(parseCondition)) {
    if (!(await isPlanned(condition, run))) return condition;
  }
  return undefined;
}

async function isPlanned(condition: Condition, run: Source): Promise<boolean> {
  if (run instanceof StoredRun) {
    return isPlannedCondition(condition, { rows: run.rows, file: run.log.file });
  }
  const { field } = condition;
  if (!isPlannedField(field)) return false;
  if (run === undefined || !isResultField(field) || field.of !== 'metadata') return true;
  for await (const { entry } of run.entries()) {
    const { metadata, authored_metadata: authored = metadata } = entry.result;
    const none = { input: null, output: null, reference: null };
    const [now, then] = [metadata, authored].map((of) =>
      fieldText({ ...none, metadata: of }, field),
    );
    if (now !== then) return false;
  }
  return true;
}

/** Error: `usage` for such a condition. `why` completes `… by what came of them, so that …`. */
export async function refuseOutcome(
  where: readonly string[] | undefined,
  run: Source,
  why: string,
): Promise<void> {
  const condition = await outcomeCondition(where, run);
  if (condition === undefined) return;
  throw new AssayError(
    'usage',
    `${quotedName(condition.text)} chooses results by what came of them, so that ${why}.`,
    { hints: ['Choose by what was planned: id, dataset, label, input, reference or metadata.'] },
  );
}
