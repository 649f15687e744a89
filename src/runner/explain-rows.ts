import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EvaluationCode, Piece } from '../model/code/evaluation-code.js';
import { codesOf } from '../model/code/pack-code.js';
import { textAtCommit } from '../processes/git.js';
import type { ResolvedRunConfig } from '../settings/resolve-run-config.js';
import type { PlannedRow } from '../store/run-owner.js';
import { firstDifference, type TextDifference } from '../text/first-difference.js';
import { shortHash } from '../text/short-hash.js';
import { CurrentState } from './changes/current-state.js';
import { type Changes, decidePlanned } from './changes/decide-all.js';
import type { BaseResult, BaseRun, Decision } from './changes/decide-row.js';
import type { OpenBase } from './changes/open-base.js';
import { discover } from './discovery/discover.js';
import { paramsHash } from './planning/case-fingerprint.js';
import { withParams } from './planning/params.js';
import { type PlannedTrial, planRows } from './planning/plan-rows.js';
import { createExecutor, type RunnerDependencies } from './runner-dependencies.js';
import type { StartRunOptions } from './start-run.js';

/** What would become of a row, and everything that this depends on. */
export interface Explanation {
  readonly id: string;
  readonly decision: Decision;
  /** The run whose result it is compared with; absent if none has one. */
  readonly base?: BaseRun;
  /** The run that ran the target of that result. */
  readonly origin?: Pick<BaseRun, 'run_id' | 'run_name'>;
  /** Empty without a base. */
  readonly inputs: readonly ExplainedInput[];
}

export type ExplainOptions = StartRunOptions & { readonly changedSince: readonly string[] };

/** Explains the rows that `choose` takes of those that would be planned. Runs nothing. */
export async function explainRows(
  runner: RunnerDependencies,
  options: ExplainOptions,
  choose: (rows: readonly PlannedTrial[]) => readonly PlannedTrial[],
): Promise<Explanation[]> {
  const executor = createExecutor(runner, options, 'look');
  const { changedSince: bases } = options;
  try {
    const discovery = await discover(runner, options.request, executor, true);
    const { evaluations } = discovery;
    const config = withParams(options.config, discovery, options.readParams);
    const rows = choose([...planRows(evaluations, config.trials)]);
    const plans: PlannedRow[] = [];
    const today = {
      ...{ rows, descriptors: evaluations, config },
      onPlan: (plan: PlannedRow) => plans.push(plan),
    };
    const changes = await decidePlanned(runner, executor, today, {
      bases,
      calls: config.calls,
    });
    try {
      const explainer = new Explainer(runner, changes, config);
      const explained: Explanation[] = [];
      for (const [at, plan] of plans.entries()) {
        explained.push(await explainer.explain(plan, changes.decisions[at]));
      }
      return explained;
    } finally {
      await changes.close();
    }
  } finally {
    executor.close();
  }
}

class Explainer {
  readonly #runner: RunnerDependencies;
  readonly #changes: Changes;
  readonly #params: string;
  readonly #state: CurrentState;
  readonly #codes: ReadonlyMap<string, EvaluationCode>;
  readonly #wholes: ReadonlySet<string>;

  constructor(runner: RunnerDependencies, changes: Changes, config: ResolvedRunConfig) {
    const { codes } = changes;
    this.#runner = runner;
    this.#changes = changes;
    this.#params = paramsHash(config);
    this.#state = new CurrentState(runner, config.calls);
    this.#codes = new Map(codes.flatMap((one) => [...codesOf(one)]));
    this.#wholes = new Set(codes.flatMap(({ wholes = [] }) => wholes));
  }

  async explain(plan: PlannedRow, decision: Decision | undefined): Promise<Explanation> {
    if (decision === undefined) throw new Error(`nothing is decided about ${plan.id}`);
    const { id } = plan;
    const { baseOf, bases } = this.#changes;
    // A row that runs is compared with its newest result, as the decision was.
    const base = baseOf(decision) ?? bases.find((one) => one.find(id) !== undefined);
    const result = base?.find(id);
    if (base === undefined || result === undefined) return { id, decision, inputs: [] };
    const code = this.#codes.get(plan.evaluation);
    const inputs = [
      caseInput(plan, base, result),
      valueInput('params', result.ran.params, this.#params),
      ...this.#pieces('target', result.ran.code?.target, code?.target),
      ...this.#pieces('grading', result.graded.code?.grading, code?.grading),
      ...gradingInputs(plan, result, this.#params),
      ...this.#reads(base, result.index),
    ];
    const origin = base.originOf(result.index);
    return { id, decision, base, origin, inputs: await withLines(inputs, base, this.#runner) };
  }

  #pieces(
    part: 'target' | 'grading',
    before: readonly Piece[] | undefined,
    now: readonly Piece[] | undefined,
  ): ExplainedInput[] {
    if (before === undefined || now === undefined) return [{ part, state: 'unknown' }];
    const then = byName(before);
    const today = byName(now);
    return [...new Set([...then.keys(), ...today.keys()])].map((name) => ({
      ...compared(isOfRuntime(name) ? 'runtime' : part, then.get(name), today.get(name)),
      name,
      ...(this.#wholes.has(name) && { isWhole: true }),
    }));
  }

  #reads(base: OpenBase, index: number): ExplainedInput[] {
    const found = new Map<string, ExplainedInput>();
    for (const read of base.readsOf(index).flatMap(({ reads }) => reads)) {
      const { kind, name, hash } = read;
      const now = this.#state.hashOf(read, base.run_id);
      found.set(`${kind}\0${name}`, {
        ...compared('reads', hash ?? undefined, now ?? undefined),
        // What was missing and still is, is the same.
        ...(hash === now && { state: 'same' }),
        name: kind === 'file' ? name : `${name} (${kindNames[kind]})`,
      });
    }
    return [...found.values()];
  }
}

const kindNames = {
  ...{ folder: 'names in it', exists: 'whether it exists', variable: 'variable' },
  recordings: 'recordings',
};

/** The case as stored, and what the plan of today says. */
function caseInput(plan: PlannedRow, base: OpenBase, result: BaseResult): ExplainedInput {
  const input = valueInput('case', result.fingerprint?.case, plan.fingerprint?.case);
  if (input.state !== 'changed') return input;
  const row = base.counted.rows[result.index];
  const stored = base.counted.entry(result.index).result;
  const textOf = (of: PlannedRow | typeof stored, at: typeof row | PlannedRow) =>
    JSON.stringify(
      { input: of.input, reference: of.reference, dataset: at?.dataset, labels: at?.labels },
      null,
      2,
    );
  const line = firstDifference(textOf(stored, row), textOf(plan, plan));
  return { ...input, ...(line && { line }) };
}

/** What grading depends on besides its code. */
function gradingInputs(
  plan: PlannedRow,
  { fingerprint, ran, graded }: BaseResult,
  params: string,
): ExplainedInput[] {
  const scores = valueInput('grading', fingerprint?.grading, plan.fingerprint?.grading);
  const ofParams = valueInput('grading', graded.params, params);
  return [
    { ...scores, name: 'scores' },
    ...(graded.params === ran.params ? [] : [{ ...ofParams, name: 'params' }]),
  ];
}

function valueInput(
  part: ExplainedInput['part'],
  before: string | undefined,
  now: string | undefined,
): ExplainedInput {
  if (before !== undefined && now !== undefined) return compared(part, before, now);
  return { ...compared(part, before, now), state: 'unknown' };
}

function compared(
  part: ExplainedInput['part'],
  before: string | undefined,
  now: string | undefined,
): ExplainedInput {
  const hashes = { ...(before !== undefined && { before }), ...(now !== undefined && { now }) };
  if (before === now) return { part, state: 'same', ...hashes };
  if (before === undefined) return { part, state: 'appeared', ...hashes };
  return { part, state: now === undefined ? 'gone' : 'changed', ...hashes };
}

/** An evaluation that is made from another one has a piece of each by one name where these are called the same. */
function byName(pieces: readonly Piece[]): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>();
  for (const [name, hash] of pieces) {
    const known = hashes.get(name);
    hashes.set(name, known === undefined ? hash : `${known}+${hash}`);
  }
  return hashes;
}

// As the host names what all evaluations depend on.
const ofRuntime =
  /^(?:node \d|assay \d|(?:aix|android|darwin|freebsd|linux|openbsd|sunos|win32) |the (?:time zone|language)$|(?:what )?NODE_(?:OPTIONS|PATH)\b)/;

function isOfRuntime(name: string): boolean {
  return ofRuntime.test(name);
}

/**
 * Adds the first line that differs to what has changed in files, where git has the text of then: of files that were read
 * if their hash fits, of modules if the base ran in a clean working tree.
 */
async function withLines(
  inputs: readonly ExplainedInput[],
  { run }: OpenBase,
  { cwd, redact }: RunnerDependencies,
): Promise<ExplainedInput[]> {
  const { commit, dirty } = run.head();
  if (commit === undefined) return [...inputs];
  const seen = new Set<string>();
  const found: ExplainedInput[] = [];
  for (const input of inputs) {
    const { part, name = '', state, before } = input;
    // `app.ts (answer)` is a part of a module: its line is shown once.
    const file = part === 'reads' ? name : name.replace(/ \([^)]*\)$/, '');
    const isText = part === 'reads' || (isModule(part) && dirty !== true);
    const isNews = state === 'changed' && isText && !seen.has(file);
    const then = isNews ? await textAtCommit(cwd, commit, file) : undefined;
    const fits = part !== 'reads' || (then !== undefined && shortHash(then) === before);
    const now = then !== undefined && fits ? textNow(resolve(cwd, file)) : undefined;
    const line = now === undefined ? undefined : firstDifference(redact(then ?? ''), redact(now));
    if (line !== undefined) seen.add(file);
    found.push({ ...input, ...(line && { line }) });
  }
  return found;
}

function isModule(part: ExplainedInput['part']): boolean {
  return part === 'target' || part === 'grading';
}

function textNow(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The parts of the fingerprint of a row, in the order in which they are shown. */
export const explainedParts = ['case', 'params', 'target', 'grading', 'reads', 'runtime'] as const;

/** Something that a result depends on, then and now. */
export interface ExplainedInput {
  readonly part: (typeof explainedParts)[number];
  /** A module, declaration, package, file or variable; absent where the part is one value. */
  readonly name?: string;
  /** `unknown` where nothing is known of then, or of now. */
  readonly state: 'same' | 'changed' | 'appeared' | 'gone' | 'unknown';
  /** Hashes; absent where there is none. */
  readonly before?: string;
  readonly now?: string;
  /** A module of which all counts. */
  readonly isWhole?: true;
  /** The first lines that differ; absent where there is no text. */
  readonly line?: TextDifference;
}
