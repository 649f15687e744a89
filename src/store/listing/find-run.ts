import { AssayError } from '../../errors.js';
import { countOf } from '../../text/count-text.js';
import { nameText, quotedName } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';
import type { ListedRun } from './run-json.js';

/**
 * Finds a run by reference: `latest`, `previous`, `latest~N`, a run id, a unique prefix of one (4 or more characters),
 * or a run name (the newest of that name, only in `session` when one is given). The runs of a group count as one for `latest`:
 * its base. Errors: `no-such-run`, `ambiguous-run`, also for the name of a group.
 */
export function findRun(
  runs: readonly ListedRun[],
  reference: string,
  session: string | undefined,
): string {
  const wanted = reference.trim();
  const inSession = newestFirst(
    runs.filter((run) => session === undefined || run.session_name === session),
  );
  const steps = stepsBack(wanted);
  if (steps !== undefined) return nthNewest(basesOnly(inSession), steps, session);
  const exact = runs.find((run) => run.run_id === wanted.toLowerCase());
  if (exact !== undefined) return exact.run_id;
  const byPrefix = /^[0-9a-f]{4,11}$/i.test(wanted)
    ? runs.filter((run) => run.run_id.startsWith(wanted.toLowerCase()))
    : [];
  if (byPrefix.length === 1 && byPrefix[0]) return byPrefix[0].run_id;
  const group = groupNamed(inSession, wanted);
  const named = inSession.find((run) => run.run_name === wanted);
  if (named !== undefined && group.length === 0) return named.run_id;
  if (group.length > 0) throw severalIn(wanted, group, runs);
  if (byPrefix.length > 1) throw ambiguous(wanted, byPrefix);
  throw unknown(wanted, runs, inSession, session);
}

/** By when they began: a merged run when it was merged, and after it the parts, which it stands for. */
function newestFirst(runs: readonly ListedRun[]): readonly ListedRun[] {
  const merged = new Set(runs.flatMap((run) => run.merged?.parts ?? []));
  if (merged.size === 0) return runs;
  const began = (run: ListedRun) => run.merged?.at_ms ?? run.started_at_ms;
  const parts = runs.filter(({ run_id }) => merged.has(run_id));
  const others = runs.filter(({ run_id }) => !merged.has(run_id));
  return [...others.sort((a, b) => began(b) - began(a)), ...parts];
}

/**
 * The ids of the runs of a group, by its name, that of the base first; without those that are deleted. `undefined` where the
 * reference is that of a run, of a newer run of the same name, or of nothing.
 */
export function findGroup(
  runs: readonly ListedRun[],
  reference: string,
  session: string | undefined,
): readonly string[] | undefined {
  const wanted = reference.trim();
  const inSession = newestFirst(
    runs.filter((run) => session === undefined || run.session_name === session),
  );
  if (inSession.some(({ run_id }) => run_id === wanted)) return undefined;
  const ids = groupNamed(inSession, wanted);
  return ids.length > 0 ? ids : undefined;
}

/** The runs of the newest group of a name; none where a newer run has this name. */
function groupNamed(runs: readonly ListedRun[], name: string): readonly string[] {
  const known = new Set(runs.map(({ run_id }) => run_id));
  const newest = runs.find(({ group, run_name }) => group === name || run_name === name);
  if (newest?.group !== name) return [];
  return (newest.group_runs ?? []).filter((id) => known.has(id));
}

/** What a group lacks, in a sentence: runs that are deleted or cannot be read. `undefined` where it is whole. */
export function lackOfGroup(
  runs: readonly ListedRun[],
  ids: readonly string[],
): string | undefined {
  const [first] = ids;
  const { group = '', group_runs: all = [] } = runs.find(({ run_id }) => run_id === first) ?? {};
  const missing = all.filter((id) => !ids.includes(id));
  if (missing.length === 0) return undefined;
  const has = missing.length === 1 ? 'is' : 'are';
  const base = all[0] === first ? '' : ', among them the base';
  const of = `${missing.length} of ${countOf(all.length, 'run')} of the group ${nameText(group)}`;
  return `${of} ${has} deleted or cannot be read${base}`;
}

function severalIn(group: string, ids: readonly string[], runs: readonly ListedRun[]): AssayError {
  const members = runs.filter(({ run_id }) => ids.includes(run_id));
  const message = `${nameText(group)} is a group of ${countOf(ids.length, 'run')}, and one is needed.`;
  return new AssayError('ambiguous-run', message, { hints: members.map(idAndName) });
}

function idAndName({ run_id, run_name, session_name }: ListedRun): string {
  return `${run_id}  ${run_name}  (session ${session_name})`;
}

/** Without the runs of a group beside its base, or beside what is left of it. */
function basesOnly(runs: readonly ListedRun[]): readonly ListedRun[] {
  const known = new Set(runs.map(({ run_id }) => run_id));
  return runs.filter(
    ({ run_id, group_runs: ids }) =>
      ids === undefined || ids.find((id) => known.has(id)) === run_id,
  );
}

function noSuchRun(what: string, hints: readonly string[]): AssayError {
  return new AssayError('no-such-run', `There is no run ${what}.`, { hints });
}

/** True for `latest` and the like, which of a group mean its base. */
export function countsGroupsOnce(reference: string): boolean {
  return stepsBack(reference.trim()) !== undefined;
}

/** The number of newer runs for `latest`, `previous` and `latest~N`; `undefined` for other references. */
function stepsBack(wanted: string): number | undefined {
  if (wanted === 'previous') return 1;
  const [found, steps = '0'] = /^latest(?:~(\d{1,9}))?$/.exec(wanted) ?? [];
  return found === undefined ? undefined : Number(steps);
}

function nthNewest(runs: readonly ListedRun[], steps: number, session: string | undefined): string {
  const found = runs[steps];
  if (found !== undefined) return found.run_id;
  const where = session === undefined ? '' : ` in session ${nameText(session)}`;
  if (runs.length === 0) {
    throw new AssayError('no-such-run', `There are no saved runs${where} yet.`, {
      hints: ['Make one: assay run PATH'],
    });
  }
  const count = runs.length === 1 ? 'only one saved run' : `only ${runs.length} saved runs`;
  throw new AssayError(
    'no-such-run',
    `There ${runs.length === 1 ? 'is' : 'are'} ${count}${where}.`,
    {
      hints: [`latest~${runs.length - 1} is the oldest.`],
    },
  );
}

function ambiguous(prefix: string, runs: readonly ListedRun[]): AssayError {
  return new AssayError('ambiguous-run', `${runs.length} run ids begin with ${prefix}.`, {
    hints: runs.slice(0, 10).map(idAndName),
  });
}

function unknown(
  wanted: string,
  runs: readonly ListedRun[],
  inSession: readonly ListedRun[],
  session: string | undefined,
): AssayError {
  const elsewhere = new Set(
    runs.filter((run) => run.run_name === wanted).map((run) => run.session_name),
  );
  if (session !== undefined && elsewhere.size > 0) {
    const places = [...elsewhere].slice(0, 3).join(', ');
    return noSuchRun(`${quotedName(wanted)} in session ${quotedName(session)}`, [
      `There is one in session ${places}.`,
    ]);
  }
  const hint = didYouMean(wanted, [
    'latest',
    'previous',
    ...inSession.flatMap(({ run_name, run_id, group = [] }) => [run_name, run_id, group].flat()),
  ]);
  return noSuchRun(quotedName(wanted), hint === undefined ? [] : [hint]);
}
