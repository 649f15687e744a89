import { AssayError } from '../errors.js';
import { isUnfinished } from '../model/result.js';
import type { Condition } from '../model/selection/condition.js';
import { rowsMeeting } from '../model/selection/rows-meeting.js';
import { type CaseDraw, drawCases } from '../model/selection/sample.js';
import { countOfAll } from '../text/count-text.js';
import type { ComparedRun } from './compared-run.js';

/** Which cases are compared: of any of the datasets, with any of the labels, that meet all conditions. */
export interface ComparedCases {
  readonly datasets: readonly string[];
  readonly labels: readonly string[];
  readonly conditions: readonly Condition[];
  readonly sample?: CaseDraw | undefined;
}

/**
 * The runs with only the cases that one of them selects, by conditions about what was planned: differences between cases that
 * an outcome has chosen say nothing. Error: `nothing-selected`.
 */
export async function withCases<R extends ComparedRun>(
  runs: readonly R[],
  asked: ComparedCases,
): Promise<R[]> {
  const found = new Set<string>();
  for (const run of runs) for (const id of await meetingCases(run, asked)) found.add(id);
  const ids = asked.sample === undefined ? found : drawCases(found, asked.sample);
  if (ids.size > 0) return runs.map((run) => onlyCases(run, ids));
  throw new AssayError('nothing-selected', 'No case of these runs matches the filters.');
}

async function meetingCases(
  run: ComparedRun,
  { datasets, labels, conditions }: ComparedCases,
): Promise<string[]> {
  const all = [...run.rowsOf(new Set(run.cases.map(({ id }) => id)))];
  const ofCases = all.flatMap(([id, [first]]) => (first === undefined ? [] : [{ id, ...first }]));
  const meant = ofCases.filter(
    ({ row }) =>
      (datasets.length === 0 || datasets.includes(row.dataset)) &&
      (labels.length === 0 || row.labels.some((label) => labels.includes(label))),
  );
  async function* entries(positions: readonly number[]) {
    for (const position of positions) {
      const one = meant[position];
      if (one !== undefined) yield { index: position, entry: await run.read(one.index) };
    }
  }
  const rows = meant.map(({ row }) => row);
  const meeting = await rowsMeeting({ rows, entries }, conditions);
  return meant.filter((_, position) => meeting.has(position)).map(({ id }) => id);
}

/** What the whole run spent is not what these cases did; its labels are of all cases. */
function onlyCases<R extends ComparedRun>(run: R, ids: ReadonlySet<string>): R {
  const { usage, corrected, ...head } = run.head;
  const rows = [...run.rowsOf(ids).values()].flat();
  const cases = run.cases.filter(({ id }) => ids.has(id));
  return {
    ...run,
    head,
    cases,
    ...(cases.length < run.cases.length && {
      part: countOfAll(cases.length, run.cases.length, 'case'),
    }),
    unfinished: rows.filter(({ row }) => isUnfinished(row) && row.pruned !== true).length,
    rowsOf: (wanted: ReadonlySet<string>) =>
      run.rowsOf(new Set([...wanted].filter((id) => ids.has(id)))),
  };
}
