import { AssayError } from '../errors.js';
import { type Condition, parseCondition } from '../model/selection/condition.js';
import { isPlannedCondition } from '../server/rows/groups.js';
import type { StoredRun } from '../store/stored-run.js';
import { quotedName } from '../text/name-text.js';

/** The first condition about what came of results; `undefined` if all ask for what was planned. `run`: unless it is a file. */
export async function outcomeCondition(
  where: readonly string[] = [],
  run: StoredRun | undefined,
): Promise<Condition | undefined> {
  const source = run && { rows: run.rows, file: run.log.file };
  for (const condition of where.map(parseCondition)) {
    if (!(await isPlannedCondition(condition, source))) return condition;
  }
  return undefined;
}

/** Error: `usage` for such a condition. `why` completes `… by what came of them, so that …`. */
export async function refuseOutcome(
  where: readonly string[] | undefined,
  run: StoredRun | undefined,
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
