import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { openStore } from '../../src/store/store.js';
import { Project } from '../helpers/project.js';
import { type Answered, ServedProject } from '../helpers/served-project.js';
import { atOnce, functions, type ModelRun, type WorkspaceModel } from './workspace-model.js';

const evals = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';

// Every call has a number, and comes back when the file with its name is there, or when it is too late.
const called = async (name: string, signal: AbortSignal) => {
  appendFileSync('calls', name + '\\n');
  const call = readFileSync('calls', 'utf8').split('\\n').filter((line) => line === name).length;
  while (!signal.aborted && !existsSync('go ' + name + ' ' + call)) await delay(3);
  return call;
};

export const gated = evaluation({
  cases: ['a', 'b', 'c'].map((id) => ({ id })),
  target: async ({ caseId, signal }) => {
    const name = 'gated[' + caseId + ']';
    const call = await called(name, signal);
    if (caseId === 'c' && call % 2 === 1) throw new Error('an odd call');
    return name + ' ' + call;
  },
  evaluators: [async function good({ output }) {
    if (existsSync('hold-grading')) writeFileSync('grading ' + output, '');
    while (existsSync('hold-grading')) await delay(3);
    return Number(readFileSync('level', 'utf8'));
  }],
});
export const plain = evaluation({}, async (ctx) => {
  ctx.output = 'plain ' + (await called('plain', ctx.signal));
});
`;

/** A real server with real hosts, whose evaluations come to an end when the test says so. */
export class ModelledServer {
  readonly served: ServedProject;
  #crashes = 0;
  /** What was executed when the server was looked at last: it may have ended since. */
  #executed: ModelRun | undefined;

  private constructor(served: ServedProject) {
    this.served = served;
  }

  static async start(): Promise<ModelledServer> {
    const project = new Project({
      'assay.yaml': `concurrency: ${atOnce}\nconfigs:\n  fast:\n    params: { speed: 2 }\n`,
      'a.eval.ts': evals,
      level: '1',
    });
    return new ModelledServer(await ServedProject.start(project, { hosts: true }));
  }

  async activeId(): Promise<string> {
    return (await this.served.active()).run_id;
  }

  /** Sends a request, and expects the status, and of the body what is given. */
  async expect(
    method: string,
    path: string,
    body: unknown,
    status: number,
    parts: Readonly<Record<string, unknown>> = {},
  ): Promise<Answered['body']> {
    const answered = await this.served.send(method, path, body);
    expect(answered.status, `${method} ${path}: ${answered.text}`).to.equal(status);
    expect(answered.body).to.deep.include(parts);
    return answered.body;
  }

  setLevel(level: number): void {
    this.served.project.write('level', String(level));
  }

  /** Lets one call come back. */
  release(index: number, call: number): void {
    this.served.project.write(`go ${functions[index]} ${call}`, '');
  }

  holdGrading(isHeld: boolean): void {
    const { project } = this.served;
    for (const grading of this.#grading()) project.remove(grading);
    if (isHeld) project.write('hold-grading', '');
    else if (project.has('hold-grading')) project.remove('hold-grading');
  }

  /** Files of what is being graded and is held. */
  #grading(): string[] {
    return readdirSync(this.served.project.folder).filter((name) => name.startsWith('grading '));
  }

  /** Copies a run as a process that is killed at this moment would leave it; answers with the id of the copy. */
  copyCrashed(runId: string): string {
    this.#crashes += 1;
    const id = `c0ffee${String(this.#crashes).padStart(6, '0')}`;
    const copy = this.#folder(id);
    cpSync(this.#folder(runId), copy, { recursive: true });
    rmSync(join(copy, 'lock'));
    return id;
  }

  /** Waits until the server is as the model says; fails with the difference. */
  async untilLike(model: WorkspaceModel): Promise<void> {
    const { active, execution } = model;
    let seen: unknown;
    const executed = this.#executed;
    this.#executed = execution?.run;
    const runs = [active, execution?.run, executed].filter(
      (run) => run !== undefined && (run === active || model.saved.has(run.id)),
    ) as ModelRun[];
    const wanted = [
      functions.map((_, at) => model.callOf(at)),
      ...runs.map((run) => shape(model, run)),
    ];
    const isSo = async () => {
      const shown = await Promise.all(runs.map(async (run) => shapeOf(await this.#data(run))));
      // What is shown as running is about to be called.
      seen = [this.#calls(), ...shown];
      return JSON.stringify(seen) === JSON.stringify(wanted) && this.#hasBegun(execution);
    };
    await until(isSo, () => {
      return `The server is ${JSON.stringify(seen)}, the model ${JSON.stringify(wanted)}`;
    });
    const now = await this.served.active();
    expect(now).to.include({
      run_id: active.id,
      is_paused: execution?.run === active && execution.isPaused,
    });
    active.name ??= now.run_name;
    if (execution !== undefined) execution.run.name ??= (await this.#data(execution.run)).run_name;
  }

  /** A pause may come before the evaluations have, which no row shows when they grade again. */
  #hasBegun(execution: WorkspaceModel['execution']): boolean {
    if (execution?.kind !== 'regrade' || !this.served.project.has('hold-grading')) return true;
    return this.#grading().length >= execution.running;
  }

  /** Every run is as the model says, is listed, and reads in a fresh store as the server shows it. */
  async expectLike(model: WorkspaceModel): Promise<void> {
    const store = await openStore(this.served.project.path('.assay/sessions'));
    for (const run of model.saved.values()) {
      const data = await this.#data(run);
      expect(shapeOf(data)).to.deep.equal(shape(model, run));
      await this.#expectAttempts(run);
      const isIn = model.execution?.run === run;
      // What was stopped a moment ago is still being closed, and until then nobody else can tell.
      if (!isIn)
        await until(
          () => !existsSync(join(this.#folder(run.id), 'lock')),
          () => 'It is still held',
        );
      const stored = await store.openRun(run.id);
      const head = stored.head();
      const results: unknown[] = [];
      for await (const { entry } of stored.entries()) results.push(entry);
      await stored.close();
      // Which rows run, and that they wait, is known to the server only.
      const served = JSON.stringify(asStored(data), isIn ? withoutRunning : undefined);
      const state = isIn ? data.state : head.state;
      expect({ ...head, state, results }).to.deep.equal(JSON.parse(served));
    }
    const { body } = await this.served.get('/api/sessions/default/runs');
    const listed = body.runs.map((run: RunJson) => [run.run_id, run.run_name, run.state]);
    const wanted = [...model.saved.values()].map((run) => [run.id, run.name, model.stateOf(run)]);
    expect(listed).to.have.deep.members(wanted);
  }

  async #expectAttempts(run: ModelRun): Promise<void> {
    for (const [index, row] of run.rows.entries()) {
      const { body } = await this.served.get(`/api/runs/${run.id}/results/${index}`);
      expect(body.attempts ?? [], `attempts of ${functions[index]}`).to.have.lengthOf(row.attempts);
    }
  }

  async #data({ id }: ModelRun): Promise<Answered['body']> {
    const { status, body, text } = await this.served.get(`/api/runs/${id}/data`);
    expect(status, text).to.equal(200);
    return body;
  }

  /** How often each function was called. */
  #calls(): number[] {
    const { project } = this.served;
    const lines = project.has('calls') ? project.read('calls').split('\n') : [];
    return functions.map((name) => lines.filter((line) => line === name).length);
  }

  #folder(runId: string): string {
    return this.served.project.path(`.assay/sessions/default/${runId}`);
  }
}

/** Waits until something is so; fails after twenty seconds, as processes may start slowly. */
async function until(
  isSo: () => boolean | Promise<boolean>,
  otherwise: () => string,
): Promise<void> {
  for (const end = performance.now() + 20_000; !(await isSo()); await delay(15)) {
    if (performance.now() > end) throw new Error(otherwise());
  }
}

/** What the model knows of a run. */
function shape(model: WorkspaceModel, run: ModelRun) {
  return {
    id: run.id,
    config: run.config,
    state: model.stateOf(run),
    rows: run.rows.map(({ status, output, scores, annotation, history, regradable }) => {
      return { status, output, scores, annotation, history, regradable };
    }),
  };
}

/** The same of a run as the server shows it. */
function shapeOf(run: RunJson): ReturnType<typeof shape> {
  return {
    id: run.run_id,
    config: run.config_name,
    state: run.state,
    rows: run.results.map(({ regradable = false, result }) => ({
      status: result.status,
      output: result.output as string | null,
      scores: result.scores,
      annotation: result.annotation,
      history: result.correction_history.map(({ field }) => field),
      regradable,
    })),
  };
}

function asStored(data: Record<string, unknown>): Record<string, unknown> {
  const served = ['score_chips', 'eval_path', 'is_paused', 'selected_total', 'discovery_error'];
  return Object.fromEntries(Object.entries(data).filter(([key]) => !served.includes(key)));
}

function withoutRunning(key: string, value: unknown): unknown {
  return key === 'status' && value === 'running' ? 'pending' : value;
}
