import type { FinishedResult } from '../../events.js';

/** A result whose error names the files of another checkout: with the same frames in this one. */
export function withFilesIn(
  cwd: string,
  other: string | undefined,
  result: FinishedResult,
): FinishedResult {
  const { error } = result.outcome;
  if (error === null || other === undefined || cwd === other) return result;
  const here = error.replace(/^\s+at .*$/gm, (frame) =>
    frame.replace(`${other}/`, () => `${cwd}/`),
  );
  return { ...result, outcome: { ...result.outcome, error: here } };
}
