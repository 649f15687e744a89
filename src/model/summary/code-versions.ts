import { fileOf, isFinished, type RowFacts } from '../result.js';
import type { CodeVersion } from '../run.js';

interface SeenCode {
  results: number;
  /** The largest `finished` of its results. */
  last: number;
}

type CodeFacts = Pick<
  RowFacts,
  'id' | 'trial_of' | 'function' | 'evaluation' | 'status' | 'code' | 'finished' | 'pruned'
>;

/**
 * Counts finished results by the code version that graded them last, newest first. The versions of an eval file are
 * the code hashes of its results; the newest is the one whose result finished last. Pruned results, and results
 * with unknown code, do not count.
 */
export class CodeVersionCounter {
  /** By eval file, then by code hash. */
  readonly #files = new Map<string, Map<string, SeenCode>>();
  /** Adjacent rows mostly share evaluation and code. */
  #evaluation: string | undefined;
  #code: string | undefined;
  #seen: SeenCode = { results: 0, last: 0 };

  add(row: CodeFacts): void {
    const { code, finished = 0 } = row;
    if (code === undefined || row.pruned === true || !isFinished(row)) return;
    if (code !== this.#code || row.evaluation !== this.#evaluation) {
      this.#evaluation = row.evaluation;
      this.#code = code;
      this.#seen = this.#of(fileOf(row), code);
    }
    this.#seen.results += 1;
    if (finished > this.#seen.last) this.#seen.last = finished;
  }

  /** The newest version first. It contains the newest code of each eval file. */
  versions(): CodeVersion[] {
    const versions: { results: number; codes: string[] }[] = [];
    for (const codes of this.#files.values()) {
      const newestFirst = [...codes].sort(([, a], [, b]) => b.last - a.last);
      for (const [rank, [code, { results }]] of newestFirst.entries()) {
        versions[rank] ??= { results: 0, codes: [] };
        versions[rank].results += results;
        versions[rank].codes.push(code);
      }
    }
    return versions;
  }

  #of(file: string, code: string): SeenCode {
    let codes = this.#files.get(file);
    if (codes === undefined) {
      codes = new Map();
      this.#files.set(file, codes);
    }
    let seen = codes.get(code);
    if (seen === undefined) {
      seen = { results: 0, last: -1 };
      codes.set(code, seen);
    }
    return seen;
  }
}

/** The code versions of rows; `undefined` unless there are several. */
export function codeVersions(rows: Iterable<CodeFacts>): CodeVersion[] | undefined {
  const counter = new CodeVersionCounter();
  for (const row of rows) counter.add(row);
  return severalOf(counter);
}

/** The counted versions; `undefined` unless there are several. */
export function severalOf(counter: CodeVersionCounter): CodeVersion[] | undefined {
  const versions = counter.versions();
  return versions.length > 1 ? versions : undefined;
}

/** The code hashes of all versions except the newest. */
export function olderCodes(versions: readonly CodeVersion[] | undefined): ReadonlySet<string> {
  return new Set((versions ?? []).slice(1).flatMap(({ codes }) => codes));
}

/** `results of 2 code versions: 40 of the newest, 2 older`; with the rows also how many of these were carried over. */
export function codeVersionsText(
  versions: readonly CodeVersion[],
  rows: readonly Pick<RowFacts, 'code' | 'origin' | 'pruned'>[] = [],
): string {
  const [newest, ...others] = versions.map(({ results }) => results);
  const older = others.reduce((sum, results) => sum + results, 0);
  const number = (count: number | undefined) => (count ?? 0).toLocaleString('en-US');
  const codes = olderCodes(versions);
  const carried = rows.filter(
    ({ code = '', origin, pruned }) =>
      codes.has(code) && origin?.kind === 'carried' && pruned !== true,
  ).length;
  const some = carried === older ? 'carried over' : `${number(carried)} carried over`;
  const which = carried === 0 ? '' : ` (${some})`;
  return `results of ${versions.length} code versions: ${number(newest)} of the newest, ${number(older)} older${which}`;
}
