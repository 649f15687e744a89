interface Named {
  readonly run_id: string;
  readonly run_name: string;
}

/** Most changes of a character between a name and the one that is meant. */
const mostChanges = 2;

/** The runs whose name or id is at most two changes away from a text, the nearest first. */
export function nearestRuns<Run extends Named>(text: string, runs: readonly Run[]): readonly Run[] {
  return runs
    .map((run) => ({
      run,
      away: Math.min(distance(text, run.run_name), distance(text, run.run_id)),
    }))
    .filter(({ away }) => away <= mostChanges)
    .sort((a, b) => a.away - b.away)
    .map(({ run }) => run);
}

/** How many characters have to be added, removed or replaced. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > mostChanges) return mostChanges + 1;
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
