import { renderBaseline } from '../../compare/baseline/baseline.js';
import type { ComparedRun } from '../../compare/compared-run.js';
import { AssayError } from '../../errors.js';
import { lostScoresText } from '../../model/summary/lost-scores.js';
import { countOf } from '../../text/count-text.js';
import { writeToFile } from '../output-file.js';

/**
 * Writes a run to a baseline file, atomically, and returns the number of cases in it. Errors: `usage` for a run
 * with unfinished results (unless forced), without finished ones, with lost scores, or of several systems; `storage-full`, `storage-unusable`.
 */
export async function blessRun(
  run: ComparedRun,
  file: string,
  { force = false }: { readonly force?: boolean } = {},
): Promise<number> {
  const { head, cases, unfinished, lostScores, doubts = [] } = run;
  if (unfinished > 0 && !force) {
    const results = unfinished === 1 ? '1 result has' : `${countOf(unfinished, 'result')} have`;
    throw new AssayError('usage', `${head.run_name} was not blessed: ${results} not finished.`, {
      hints: [
        `Finish it: assay run --resume ${head.run_id}`,
        `Or bless what there is: assay sessions bless ${head.run_id} FILE --force`,
      ],
    });
  }
  if (lostScores !== undefined) {
    const message = `${head.run_name} was not blessed: ${lostScoresText(lostScores)}.`;
    throw new AssayError('usage', message, {
      hints: [`Run them again: assay run --rerun ${head.run_id}`],
    });
  }
  const [mixed] = doubts;
  if (mixed !== undefined) {
    const message = `${head.run_name} was not blessed: ${mixed.text}.`;
    throw new AssayError('usage', message, { hints: [sentence(mixed.mend)] });
  }
  const evaluations = cases.filter((evalCase) => evalCase.trials > 0).length;
  if (evaluations === 0) {
    const message = `${head.run_name} was not blessed: none of its cases has finished.`;
    throw new AssayError('usage', message);
  }
  const text = renderBaseline({ ...head, created_at: head.timestamp, cases });
  await writeToFile(file, asPieces(text));
  return evaluations;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

async function* asPieces(text: string): AsyncGenerator<string> {
  yield text;
}
