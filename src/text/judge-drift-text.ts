import { pathWord } from './shell-word.js';

/** How the judge of a score differs between two runs. */
interface Drift {
  readonly status: 'changed' | 'may_have_changed';
  /** Versions of its rubric; empty where they are not known. */
  readonly base: readonly string[];
  readonly other: readonly string[];
  /** Its models; absent where they are the same, or not known. */
  readonly models?: { readonly base: readonly string[]; readonly other: readonly string[] };
  /** The code that grades is another one. */
  readonly grading?: true;
}

interface DriftedScore {
  readonly key: string;
  readonly judge_drift?: Drift | undefined;
}

/** `judge changed`, or `judge may have changed`. */
export function driftMark({ status }: Drift): string {
  return `judge ${status.replaceAll('_', ' ')}`;
}

/** The judges that differ, each score once: `correctness: judge changed (rubric 3f9a0c → 77be12)`. */
export function driftTexts(scores: readonly DriftedScore[]): string[] {
  const byKey = new Map(scores.flatMap(({ key, judge_drift: of }) => (of ? [[key, of]] : [])));
  return [...byKey].map(([key, of]) => `${key}: ${driftMark(of)} (${differingText(of)})`);
}

/** `rubric 3f9a0c → 77be12, model gpt-5 → gpt-5-mini, the code that grades` */
function differingText({ base, other, models, grading }: Drift): string {
  const short = (versions: readonly string[]) => versions.map((version) => version.slice(0, 6));
  const isSame = base.join() === other.join();
  return [
    ...(isSame ? [] : [`rubric ${namesText(short(base))} → ${namesText(short(other))}`]),
    ...(models ? [`model ${namesText(models.base)} → ${namesText(models.other)}`] : []),
    ...(grading ? ['the code that grades'] : []),
  ].join(', ');
}

/** The same, with the command that grades the base by the judge of today; `isFile`: the base is a baseline file. */
export function driftNotes(
  scores: readonly DriftedScore[],
  baseId: string,
  isFile = false,
): string[] {
  const bless = isFile ? ' --bless FILE' : '';
  return driftTexts(scores).map((text) => `${text}: ${regradeCommand(baseId)}${bless}`);
}

/** The command that grades a run again by the judge of today. */
export function regradeCommand(runId: string): string {
  return `assay run --regrade ${pathWord(runId)}`;
}

const mostNamed = 3;

/** `3f9a0c, 77be12 and 2 more`. */
function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'unknown';
  const named = names.slice(0, mostNamed);
  const more = names.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
