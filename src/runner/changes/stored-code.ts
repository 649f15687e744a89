import { resolve } from 'node:path';
import { type PathLook, pathState } from '../../files/path-state.js';
import { type FileReads, type FoundCode, filesOf, type Read } from '../../model/code/file-code.js';
import { environmentText, wholeEnvironment } from '../../model/code/volatile-variables.js';
import type { ResolvedRunConfig } from '../../settings/resolve-run-config.js';
import { settingTable } from '../../settings/setting-table.js';
import { countOf } from '../../text/count-text.js';
import { isInside } from '../../text/file-path.js';
import { shortHash } from '../../text/short-hash.js';
import type { FinishedResult } from '../events.js';
import type { RunnerDependencies } from '../runner-dependencies.js';

type Surroundings = Pick<RunnerDependencies, 'cwd' | 'env' | 'store'>;

/** What is stored of code that runs with a run config: exactly these fields. */
export function storedCode(
  { rule, pieces, lists, files }: FoundCode,
  config: ResolvedRunConfig,
): FoundCode {
  const ran = files.map((one) => ({ ...one, code: codeWith(config, one.code) }));
  return { rule, pieces, lists, files: ran };
}

/**
 * The hash of code that runs with a run config. What results depend on in the config counts as code: params, timeout,
 * rules for scores, and prices, which graders may see. The hash is that of the code alone where nothing of it is set.
 */
export function codeWith<Code extends string | undefined>(config: ResolvedRunConfig, code: Code) {
  const { params, scoreRules, timeout } = config;
  const { prices } = config.calls;
  const seconds = timeout.flag ?? timeout.base;
  const isSet =
    Object.keys(params).length > 0 ||
    scoreRules ||
    prices ||
    seconds !== settingTable.timeout.default;
  if (code === undefined || !isSet) return code;
  return shortHash(
    JSON.stringify([code, params, scoreRules ?? null, timeout, ...(prices ? [prices] : [])]),
  );
}

/** What is stored of reads: without those of results, and with hashes of variables. */
export function storedReads(
  { file, reads, areHashed }: FileReads,
  runId: string,
  runner: Surroundings,
): FileReads[] {
  const kept = reads.flatMap((read): Read[] => {
    if (read.kind === 'variable') {
      return [areHashed ? read : variableRead(read.name, runId, runner.env)];
    }
    if (read.kind === 'recordings') return [read];
    return isInside(runner.store.root, resolve(runner.cwd, read.name)) ? [] : [read];
  });
  return kept.length === 0 ? [] : [{ file, reads: kept }];
}

/** Reads with the hashes of variables of this machine, for another one that stores them. */
export function hashedReads(
  { file, reads }: FileReads,
  runId: string,
  env: NodeJS.ProcessEnv,
): FileReads {
  const hashed = reads.map((read) =>
    read.kind === 'variable' ? variableRead(read.name, runId, env) : read,
  );
  return { file, reads: hashed };
}

/** The hash that a read has today; `runId` is the run that has stored it. */
export function hashToday(
  { kind, name }: Read & { readonly kind: PathLook | 'variable' },
  runId: string,
  { cwd, env }: Surroundings,
): string | null {
  if (kind === 'variable') return variableRead(name, runId, env).hash;
  return pathState(kind, resolve(cwd, name));
}

/** The id of the run is in the hash, so that two runs do not show that they had the same secret. */
function variableRead(name: string, runId: string, env: NodeJS.ProcessEnv): Read {
  const value = name === wholeEnvironment ? environmentText(env) : env[name];
  const hash = value === undefined ? null : shortHash(`${runId}\0${name}\0${value}`);
  return { kind: 'variable', name, hash };
}

/** Tells which results of an execution have code that is not stored, so that no later run can carry them over. */
export class CodeOfResults {
  /** Why code did not come, in a few words. */
  problem: string | undefined;
  readonly #stored = new Set<string | undefined>();
  /** The number of results by the hash of their code. */
  readonly #results = new Map<string | undefined, number>();

  addCode(codes: readonly FoundCode[]): void {
    for (const { code } of codes.flatMap(filesOf)) this.#stored.add(code);
  }

  addResults(finished: readonly FinishedResult[]): void {
    for (const { outcome } of finished) {
      // Errors run again anyway.
      if (outcome.status !== 'completed') continue;
      this.#results.set(outcome.code, (this.#results.get(outcome.code) ?? 0) + 1);
    }
  }

  /** What is to be said at the end; absent where all code is stored. */
  get remark(): string | undefined {
    let count = 0;
    for (const [code, results] of this.#results) if (!this.#stored.has(code)) count += results;
    if (count === 0) return undefined;
    const why = this.problem ?? 'their modules have changed during the run';
    return `The code of ${countOf(count, 'result')} was not analysed: ${why}. --changed will run them again.`;
  }
}
