import type { GateVerdict } from '../../model/gates.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { RunComparison } from '../run/run-baseline.js';

/** What a reporter tells about. */
export interface ReportedOutcome {
  readonly run: StoredRun;
  /** What the gates say; empty for a run that was stopped. */
  readonly verdicts: readonly GateVerdict[];
  /** Against the baseline, when there is one. */
  readonly comparison: RunComparison | undefined;
}

/** What a reporter may use of the process. */
export interface ReporterTools {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** Prints whole lines for people; a CI service reads them too. */
  print(text: string): void;
}

/** Tells a CI service what came of a run, beside what the terminal shows. */
export interface Reporter {
  /** Finds out before anything runs what would keep it from reporting. Errors: `storage-unusable`. */
  check(): Promise<void>;
  /** Errors: `storage-full`, `storage-unusable`. */
  report(outcome: ReportedOutcome): Promise<void>;
}
