import fc from 'fast-check';
import type { Score } from '../../src/model/scores/score.js';
import type { ModelledServer } from './modelled-server.js';
import { functions, type ModelRun, pendingOf, type WorkspaceModel } from './workspace-model.js';

type Command = fc.AsyncCommand<WorkspaceModel, ModelledServer, true>;
type Act = (model: WorkspaceModel, server: ModelledServer) => Promise<void>;

/** Everything a client can ask a server for, and what evaluations do meanwhile. */
export function commands(most: number): fc.Arbitrary<Iterable<Command>> {
  const whichRows = fc.option(fc.subarray([...functions.keys()]), { nil: undefined, freq: 1 });
  const whichRun = fc.option(fc.nat(5), { nil: undefined, freq: 1 });
  const index = fc.nat(functions.length - 1);
  const name = fc.constantFrom('one', 'two/three', ' ünï ');
  const newName = fc.option(name, { nil: undefined });
  const config = fc.constantFrom(undefined, undefined, 'default', 'fast');
  const often = [
    fc.tuple(whichRows, whichRun, config).map((chosen) => rerun(...chosen)),
    fc.tuple(whichRun, index, change()).map((chosen) => edit(...chosen)),
    fc.tuple(fc.constant(undefined), index, change()).map((chosen) => edit(...chosen)),
    fc.constant(finishOne),
    fc.constant(finishAll),
  ];
  const sometimes = [
    fc.tuple(whichRows, newName).map((chosen) => startNew(...chosen)),
    fc.tuple(whichRows, whichRun, fc.boolean()).map((chosen) => regrade(...chosen)),
    whichRun.map(activate),
    fc.constantFrom(pause, resume, crash),
    fc.constant(stop),
    whichRun.map(deleteRun),
  ];
  const seldom = [
    fc.tuple(whichRun, fc.oneof(name, fc.constant(' '))).map((chosen) => rename(...chosen)),
    fc.constantFrom(deleteSession, restart),
    name.map(nameNext),
    fc.constantFrom('fast', 'default', 'unknown').map(selectConfig),
  ];
  const weighed = [...often, ...often, ...often, ...sometimes, ...sometimes, ...seldom];
  return fc.commands(weighed, { maxCommands: most, size: 'max' });
}

interface Change {
  readonly annotation?: string;
  readonly scores?: readonly Score[] | 'one more' | undefined;
}

function change(): fc.Arbitrary<Change> {
  const scores = fc.constantFrom<Change['scores']>(
    [],
    [{ key: 'good', passed: false }],
    [{ key: 'good', value: 1 }],
    'one more',
  );
  return fc.oneof(
    fc.record({ annotation: fc.constantFrom('', 'looked at', '日本') }),
    fc.record({ scores }),
  );
}

function rerun(indices?: number[], which?: number, config_name?: string): Command {
  const body = { indices, config_name };
  return command(`rerun ${JSON.stringify({ which, ...body })}`, async (model, server) => {
    const run = runAt(model, which);
    const request = { ...body, ...(which === undefined ? {} : { run_id: run.id }) };
    const send = (status: number) => server.expect('POST', '/api/runs/rerun', request, status);
    if (indices?.length === 0) {
      await send(200);
      model.active = run;
      return;
    }
    if (model.execution !== undefined) {
      await send(409);
      return;
    }
    const own = model.isDraft(run) ? model.selectedConfig : run.config;
    const { run_id } = await send(200);
    const isOther = config_name !== undefined && config_name !== own;
    const started = isOther ? model.makeRun(run_id, config_name, config_name) : run;
    start(model, started, isOther || model.isDraft(run), indices);
  });
}

function startNew(indices?: number[], run_name?: string): Command {
  const body = { indices, run_name };
  return command(`new ${JSON.stringify(body)}`, async (model, server) => {
    const isBusy = model.execution !== undefined;
    const answer = await server.expect('POST', '/api/runs/new', body, isBusy ? 409 : 200);
    if (isBusy) return;
    const config = model.selectedConfig;
    const name =
      run_name?.trim() ?? model.pendingName ?? (config === 'default' ? undefined : config);
    if (run_name === undefined) model.pendingName = undefined;
    start(model, model.makeRun(answer.run_id, name), true, indices);
  });
}

function start(model: WorkspaceModel, run: ModelRun, isNew: boolean, indices?: number[]): void {
  if (isNew) model.dropDraft();
  model.active = run;
  model.run(run, indices ?? [...functions.keys()]);
}

function regrade(indices?: number[], which?: number, isHeld?: boolean): Command {
  const text = `regrade ${JSON.stringify({ which, indices, isHeld })}`;
  return command(text, async (model, server) => {
    const run = runAt(model, which);
    const body = { indices, ...(which === undefined ? {} : { run_id: run.id }) };
    const send = (status: number, parts = {}) =>
      server.expect('POST', '/api/runs/regrade', body, status, parts);
    if (model.isDraft(run)) {
      await send(400);
      return;
    }
    if (model.execution !== undefined) {
      await send(409);
      return;
    }
    // Whatever is refused from here on was about the run, so it is the active one.
    model.active = run;
    if (!run.rows.some(({ status }) => status === 'completed' || status === 'error')) {
      await send(400);
      return;
    }
    model.level += 1;
    server.setLevel(model.level);
    server.holdGrading(true);
    const { regraded, skipped } = model.regrade(run, indices ?? [...functions.keys()]);
    await send(200, { run_id: run.id, regraded, skipped_without_target: skipped });
    if (isHeld !== true || regraded === 0) await letFinish(model, server);
  });
}

const pause = command('pause', async (model, server) => {
  const isBusy = model.execution !== undefined;
  await server.expect('POST', '/api/runs/pause', undefined, isBusy ? 200 : 409);
  model.pause(true);
});

const resume = command('resume', async (model, server) => {
  const { execution, active } = model;
  const left = execution === undefined && !model.isDraft(active) ? pendingOf(active) : [];
  const resumed = execution === undefined ? left.length > 0 : execution.isPaused;
  const run_id = execution?.run.id ?? active.id;
  await server.expect('POST', '/api/runs/resume', undefined, 200, { resumed, run_id });
  if (execution !== undefined) model.pause(false);
  else if (resumed) model.run(active, left);
});

const stop = command('stop', async (model, server) => {
  const { execution } = model;
  const cancelled = model.stop();
  await server.expect('POST', '/api/runs/stop', undefined, 200, { cancelled });
  // What still runs comes back now, too late.
  if (execution !== undefined) server.holdGrading(false);
});

const finishOne = command(
  'one finishes',
  async (model, server) => {
    const index = model.execution?.left[0] ?? 0;
    server.release(index, model.callOf(index));
    model.finishOne();
  },
  ({ execution }) => execution?.kind === 'run' && execution.running > 0,
);

const finishAll = command('all finish', letFinish, ({ execution }) => execution !== undefined);

/** Lets what runs come to its end, and what starts then. */
async function letFinish(model: WorkspaceModel, server: ModelledServer): Promise<void> {
  server.holdGrading(false);
  while (model.execution !== undefined && model.execution.running > 0) {
    const { execution } = model;
    if (execution.kind === 'run') releaseRunning(model, server, execution);
    for (let count = execution.running; count > 0; count -= 1) model.finishOne();
  }
  await server.untilLike(model);
  if (model.execution?.kind === 'regrade') server.holdGrading(true);
}

/** The life of a server before the first command: it has a run that was finished, and one that was interrupted. */
export async function begin(model: WorkspaceModel, server: ModelledServer): Promise<void> {
  for (const one of [rerun(), finishOne, crash, finishAll]) await one.run(model, server);
}

/** And after the last: everything comes to its end. */
export async function end(model: WorkspaceModel, server: ModelledServer): Promise<void> {
  await server.expectLike(model);
  if (model.execution?.isPaused === true) await resume.run(model, server);
  await letFinish(model, server);
  await server.expectLike(model);
}

function releaseRunning(
  model: WorkspaceModel,
  server: ModelledServer,
  { left, running }: NonNullable<WorkspaceModel['execution']>,
): void {
  for (const index of left.slice(0, running)) server.release(index, model.callOf(index));
}

function edit(which: number | undefined, index: number, { annotation, scores }: Change): Command {
  const text = `edit ${JSON.stringify({ which, index, annotation, scores })}`;
  return command(text, async (model, server) => {
    const run = runAt(model, which);
    const before = run.rows[index]?.scores ?? [];
    // Keys are given once.
    const more: Score[] = [...before, { key: `taste ${before.length}`, value: 3 }];
    const sent = scores === 'one more' ? more : scores?.slice();
    const result = { ...(annotation === undefined ? {} : { annotation }), scores: sent };
    const path = `/api/runs/${which === undefined ? 'latest' : run.id}/results/${index}`;
    const isDraft = model.isDraft(run);
    await server.expect('PATCH', path, { result }, isDraft ? 409 : 200);
    if (isDraft) return;
    model.edit(run, index, {
      ...(annotation === undefined ? {} : { annotation }),
      ...(sent === undefined ? {} : { scores: sent }),
    });
  });
}

function activate(which?: number): Command {
  return command(`activate ${which}`, async (model, server) => {
    const run = runAt(model, which);
    await server.expect('POST', `/api/runs/${run.id}/activate`, undefined, 200, { run_id: run.id });
    await server.expect('POST', '/api/runs/feedfeedfeed/activate', undefined, 404);
    model.active = run;
  });
}

function rename(which: number | undefined, run_name: string): Command {
  return command(`rename ${JSON.stringify({ which, run_name })}`, async (model, server) => {
    const run = runAt(model, which);
    const isBlank = run_name.trim() === '';
    await server.expect('PATCH', `/api/runs/${run.id}`, { run_name }, isBlank ? 400 : 200);
    if (!isBlank) run.name = run_name.trim();
  });
}

function deleteRun(which?: number): Command {
  return command(`delete ${which}`, async (model, server) => {
    const run = runAt(model, which);
    const status = model.isDraft(run) ? 404 : model.execution?.run === run ? 409 : 200;
    await server.expect('DELETE', `/api/runs/${run.id}`, undefined, status);
    if (status === 200) model.forget(run, await server.activeId());
  });
}

const deleteSession = command('delete session', async (model, server) => {
  const status = model.execution !== undefined ? 409 : model.saved.size === 0 ? 404 : 200;
  await server.expect('DELETE', '/api/sessions/default', undefined, status);
  if (status !== 200) return;
  const nextId = await server.activeId();
  for (const run of [...model.saved.values()]) model.forget(run, nextId);
});

const restart = command('restart', async (model, server) => {
  const status = model.execution === undefined ? 200 : 409;
  await server.expect('POST', '/api/server/restart', undefined, status);
  if (status === 200) model.draft ??= 'unseen';
});

function nameNext(run_name: string): Command {
  return command(`name next ${run_name}`, async (model, server) => {
    const kept = run_name.trim();
    await server.expect('PUT', '/api/pending-run-name', { run_name }, 200, { run_name: kept });
    model.pendingName = kept;
    if (typeof model.draft === 'object') model.draft.name = kept;
  });
}

function selectConfig(name: string): Command {
  return command(`select ${name}`, async (model, server) => {
    const isKnown = name !== 'unknown';
    await server.expect('POST', '/api/configs/select', { name }, isKnown ? 200 : 400);
    if (isKnown) model.select(name);
  });
}

/** A process that runs the same evaluations is killed: what it has done so far is a run of its own. */
const crash = command(
  'crash',
  async (model, server) => {
    const run = model.execution?.run;
    if (run !== undefined) model.crashed(run, server.copyCrashed(run.id));
  },
  ({ execution }) => execution !== undefined,
);

/** The active run, or another one that clients may know of. */
function runAt(model: WorkspaceModel, which?: number): ModelRun {
  const { draft, active, saved } = model;
  if (which === undefined) return active;
  const known = [...saved.values(), ...(typeof draft === 'object' ? [draft] : [])];
  return known[which % known.length] ?? active;
}

/** Something that is done; afterwards the server is, and stays, as the model says. */
function command(text: string, act: Act, isOfUse = (_: WorkspaceModel) => true): Command {
  return {
    check: async (model) => isOfUse(model as WorkspaceModel),
    run: async (model, server) => {
      await act(model, server);
      await server.untilLike(model);
    },
    toString: () => text,
  };
}
