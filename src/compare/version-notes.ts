import { codeVersionsText } from '../model/summary/code-versions.js';
import type { ComparedRuns } from './compare-runs.js';

/** A sentence for each run that contains results of several code versions. */
export function versionNotes({ base, others }: ComparedRuns): string[] {
  return [base, ...others].flatMap(({ label, run: { head } }) =>
    head.code_versions === undefined ? [] : [`${label}: ${codeVersionsText(head.code_versions)}`],
  );
}
