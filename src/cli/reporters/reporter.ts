import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { BaselineComparison } from '../run/run-baseline.js';

/** The outcome that a reporter reports. */
export interface ReportedOutcome {
  readonly run: StoredRun;
  /** The verdicts of the gates; empty for a stopped run. */
  readonly verdicts: readonly GateVerdict[];
  /** The comparison with the baseline, if any. */
  readonly comparison: BaselineComparison | undefined;
  /** All results were found to be up to date, whatever the version of their code. Default false. */
  readonly isUpToDate?: boolean | undefined;
}

/** The parts of the process that a reporter may use. */
export interface ReporterTools {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** Prints whole lines on stderr, which a CI service also reads. */
  print(text: string): void;
}

/** Reports the outcome of a run to a CI service, in addition to the terminal. */
export interface Reporter {
  /** Checks before anything runs that reporting will be possible. Errors: `storage-unusable`. */
  check(): Promise<void>;
  /** Errors: `storage-full`, `storage-unusable`. */
  report(outcome: ReportedOutcome): Promise<void>;
}
