import { fileURLToPath } from 'node:url';

/** What can go wrong with one change of a file; `test/faults/preload/disk-faults.cjs` says what each means. */
export type FaultKind = 'kill' | 'torn' | 'eio' | 'enospc' | 'short' | 'sigint';

export interface FaultOptions {
  /** Absolute; changes of files elsewhere are left alone. */
  readonly below: string;
  /** Which change goes wrong, counted from 1. Default: none. */
  readonly fault?: { readonly kind: FaultKind; readonly at: number };
  /** A file that gets the list of all changes when the process ends by itself. */
  readonly report?: string;
  /** A file that says what goes wrong from now on; see `faultText`. */
  readonly file?: string;
}

/** Options of Node and variables that make changes of files go wrong in a process. */
export function makeFaulty({ below, fault, report, file }: FaultOptions): {
  readonly node: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  return {
    node: ['--require', fileURLToPath(new URL('preload/disk-faults.cjs', import.meta.url))],
    env: {
      FAULT_ROOT: below,
      ...(fault === undefined ? {} : { FAULT: faultText(fault.kind, fault.at) }),
      ...(report === undefined ? {} : { FAULT_REPORT: report }),
      ...(file === undefined ? {} : { FAULT_FILE: file }),
    },
  };
}

/** The text of a file that says what goes wrong; with the name of a file, only changes of such files count. */
export function faultText(kind: FaultKind, at: number, only?: string): string {
  return `${kind}@${at}${only === undefined ? '' : ` ${only}`}`;
}
