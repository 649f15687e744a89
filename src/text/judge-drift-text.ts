import { pathWord } from './shell-word.js';

/** How the judge of a score differs between two runs. */
interface Drift {
  readonly status: 'changed' | 'may_have_changed';
  /** Versions of its rubric; empty where they are not known. */
  readonly base: readonly string[];
  readonly other: readonly string[];
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
  return [...byKey].map(
    ([key, of]) =>
      `${key}: ${driftMark(of)} (rubric ${versionsText(of.base)} → ${versionsText(of.other)})`,
  );
}

/** The same, with the command that grades the base by the judge of today; `isFile`: the base is a baseline file. */
export function driftNotes(
  scores: readonly DriftedScore[],
  baseId: string,
  isFile = false,
): string[] {
  const bless = isFile ? ' --bless FILE' : '';
  return driftTexts(scores).map(
    (text) => `${text}: assay run --regrade ${pathWord(baseId)}${bless}`,
  );
}

const mostVersions = 3;

/** `3f9a0c, 77be12 and 2 more`. */
function versionsText(versions: readonly string[]): string {
  if (versions.length === 0) return 'unknown';
  const named = versions.slice(0, mostVersions).map((version) => version.slice(0, 6));
  const more = versions.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
