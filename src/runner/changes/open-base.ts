import type { EvaluationCode } from '../../model/code/evaluation-code.js';
import { codeRule } from '../../model/code/evaluation-code.js';
import type { FileReads, Read } from '../../model/code/file-code.js';
import { codesOf } from '../../model/code/pack-code.js';
import { wholeEnvironment } from '../../model/code/volatile-variables.js';
import { fileOf, isDraw, type RowFacts } from '../../model/result.js';
import { areRecorded, isOffline, sourceOf } from '../../recordings/recorded-calls.js';
import type { CallSettings } from '../../recordings/recording.js';
import type { Mark } from '../../store/log/row-marks.js';
import type { ExecutionCode } from '../../store/replay/execution-code.js';
import type { CountedRun, StoredRun } from '../../store/stored-run.js';
import type { CurrentState } from './current-state.js';
import type { BaseResult, BaseRun, RanWith } from './decide-row.js';

/** A saved run whose results may be taken over. */
export interface OpenBase extends BaseRun {
  readonly run: StoredRun;
  /** Its attempts that count: a repeat is never taken over. */
  readonly counted: CountedRun;
  /** True for a result whose stored output is exactly what the target made. */
  isExact(index: number): boolean;
  /** What the eval file of a result looked at, for its result and its grade. */
  readsOf(index: number): readonly FileReads[];
}

/** What results of a base are for. */
export interface BaseUse {
  /** Errors are results, too. Default false: rows with errors run. */
  readonly keepsErrors?: boolean | undefined;
  /**
   * How calls are answered: rows run that could get other answers and, where all calls are recorded after the run, rows
   * whose calls are not. Default: none does for that.
   */
  readonly calls?: CallSettings | undefined;
}

/** Reads what of a run is needed to decide about rows with these ids. */
export async function openBase(
  run: StoredRun,
  ids: ReadonlySet<string>,
  state: CurrentState,
  { keepsErrors = false, calls }: BaseUse = {},
): Promise<OpenBase> {
  const { counted } = run;
  const recordings = calls?.recordings;
  const indices = [...counted.rows.keys()].filter((index) => {
    const row = counted.rows[index];
    return row !== undefined && row.pruned !== true && ids.has(row.id);
  });
  const codes = new RunCodes(run, state);
  const results = new Map<string, BaseResult>();
  const reads = new Map<number, readonly FileReads[]>();
  const exact = new Set<number>();
  for await (const { index, ran, graded, fingerprint, isExact, hazard } of counted.marks(indices)) {
    const row = counted.rows[index];
    if (row === undefined) continue;
    const file = fileOf(row);
    const ranWith = (mark: Mark | undefined) => codes.of(mark, file, row.evaluation);
    results.set(row.id, {
      index,
      isCompleted: row.status === 'completed' || (keepsErrors && row.status === 'error'),
      isErrorThatCounts: row.status === 'error' && isDraw(row),
      fingerprint,
      ran: ranWith(ran),
      graded: ranWith(graded),
      isExact,
      hazard,
      lacksRecordings: () => {
        const records = recordings !== undefined && recordings.mode !== 'offline';
        if (!records || row.usage === undefined) return false;
        return !areRecorded(counted.trace(index).calls, sourceOf(row), recordings);
      },
    });
    if (isExact) exact.add(index);
    reads.set(index, codes.readsOf([ran, graded], file));
  }
  const { run_id, run_name } = run.header;
  return {
    run,
    counted,
    run_id,
    run_name,
    find: (id) => results.get(id),
    originOf: (index) => counted.rows[index]?.origin ?? { run_id, run_name },
    isExact: (index) => exact.has(index),
    readsOf: (index) => reads.get(index) ?? [],
  };
}

/** The eval files of rows of which something that their results or grades have looked at is different now. */
export async function filesWithOtherReads(
  run: StoredRun,
  ids: ReadonlySet<string>,
  state: CurrentState,
): Promise<ReadonlySet<string>> {
  const base = await openBase(run, ids, state);
  const isOther = (row: RowFacts) => {
    const { ran, graded } = base.find(row.id) ?? {};
    return [ran, graded].some((one) => one !== undefined && one.changedReads.length > 0);
  };
  return new Set(run.counted.rows.filter(isOther).map(fileOf));
}

const unknown: RanWith = { code: undefined, params: undefined, changedReads: [] };

/** The code and reads of the executions of a run, read from its log when they are needed. */
class RunCodes {
  readonly #run: StoredRun;
  readonly #state: CurrentState;
  readonly #codes = new Map<number, ReadonlyMap<string, EvaluationCode>>();
  readonly #reads = new Map<string, readonly FileReads[]>();
  readonly #changed = new Map<string, readonly string[]>();
  readonly #ran = new Map<string, RanWith>();
  /** Offsets of code of another rule. */
  readonly #ofOtherRule = new Set<number>();

  constructor(run: StoredRun, state: CurrentState) {
    this.#run = run;
    this.#state = state;
  }

  of(mark: Mark | undefined, file: string, evaluation: string): RanWith {
    const execution = mark && this.#executionOf(mark);
    if (mark === undefined || execution === undefined) return unknown;
    const key = [execution.offset, mark.isTaken ? '' : mark.code, evaluation, file].join('\0');
    let found = this.#ran.get(key);
    if (found === undefined) {
      const place = this.#placeOf(execution, mark, file);
      const code = place && this.#codeAt(place).get(evaluation);
      found = {
        code,
        isOfOtherRule: place !== undefined && this.#ofOtherRule.has(place.offset),
        params: execution.params,
        changedReads: this.#changedOf(execution, file),
      };
      this.#ran.set(key, found);
    }
    return found;
  }

  readsOf(marks: readonly (Mark | undefined)[], file: string): readonly FileReads[] {
    const executions = new Set(marks.flatMap((mark) => (mark && this.#executionOf(mark)) ?? []));
    return [...executions].flatMap((execution) => this.#readsIn(execution, file));
  }

  #executionOf({ offset }: Mark): ExecutionCode | undefined {
    return this.#run.executions.findLast((one) => one.offset <= offset);
  }

  #placeOf({ code: all }: ExecutionCode, { code, isTaken }: Mark, file: string) {
    // What was taken over fitted the code of this execution, and has the hash of another.
    return all.findLast((one) => one.file === file && (isTaken || one.code === code));
  }

  #codeAt(place: ExecutionCode['code'][number]): ReadonlyMap<string, EvaluationCode> {
    const known = this.#codes.get(place.offset);
    if (known !== undefined) return known;
    const record = this.#run.fileRecord(place);
    const code = record?.type === 'code' ? record : undefined;
    const isOfOtherRule = code !== undefined && code.rule !== codeRule;
    if (isOfOtherRule) this.#ofOtherRule.add(place.offset);
    const found =
      code !== undefined && 'files' in code && !isOfOtherRule ? codesOf(code) : new Map();
    this.#codes.set(place.offset, found);
    return found;
  }

  #readsIn(execution: ExecutionCode, file: string): readonly FileReads[] {
    const key = `${execution.offset}\0${file}`;
    let found = this.#reads.get(key);
    if (found === undefined) {
      const reads = execution.reads.flatMap((place) => {
        const record = place.file === file ? this.#run.fileRecord(place) : undefined;
        return record?.type === 'reads' ? record.reads : [];
      });
      found = [{ file, reads: [...this.#recordingsIn(reads, file), ...reads.filter(isLook)] }];
      this.#reads.set(key, found);
    }
    return found;
  }

  /** The last state of each: an execution that records stores it again at its end. */
  #recordingsIn(reads: readonly Read[], file: string): readonly Read[] {
    const all = [...this.#state.unstoredRecordings(file), ...reads.filter((one) => !isLook(one))];
    return [...new Map(all.map((one) => [one.name, one])).values()];
  }

  #changedOf(execution: ExecutionCode, file: string): readonly string[] {
    const key = `${execution.offset}\0${file}`;
    let found = this.#changed.get(key);
    if (found === undefined) {
      const reads = this.#readsIn(execution, file).flatMap((one) => one.reads);
      const changed = reads.filter((read) => this.#hashNow(read) !== read.hash);
      // A file says more than the folder that it is in.
      changed.sort((a, b) => Number(a.kind === 'folder') - Number(b.kind === 'folder'));
      found = [...new Set(changed.map((read) => shownName(read, this.#hashNow(read))))];
      this.#changed.set(key, found);
    }
    return found;
  }

  #hashNow(read: Read): string | null {
    return this.#state.hashOf(read, this.#run.runId);
  }
}

function isLook({ kind }: Read): boolean {
  return kind !== 'recordings';
}

function shownName({ kind, name, hash }: Read, now: string | null): string {
  if (kind === 'recordings') {
    return isOffline(hash) === isOffline(now) ? 'recordings' : 'how calls are answered';
  }
  if (kind === 'folder') return `names in ${name === '.' ? 'the working directory' : name}`;
  return kind === 'variable' && name === wholeEnvironment ? 'environment variables' : name;
}
