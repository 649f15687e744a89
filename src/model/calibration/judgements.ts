import { numbers } from '../../statistics/labelled-sample.js';
import {
  drawnOf,
  isSameKind,
  labelledOutput,
  type ReviewLabel,
  type ReviewSample,
  stratumOf,
} from '../labels.js';
import { countedOf, type RowFacts } from '../result.js';
import type { Score, ScoreFacts } from '../scores/score.js';
import { ClusterNumbers } from '../summary/cluster-totals.js';

/** A run with what its reviewers say. */
export interface ReviewedRun {
  readonly rows: readonly RowFacts[];
  readonly samples: readonly ReviewSample[];
  /** Those of the outputs that count now. */
  readonly labels: readonly ReviewLabel[];
  /** The score that the judge gave where a person has replaced it since. */
  judgeOf(
    index: number,
    key: string,
  ): Pick<Score, 'passed' | 'value' | 'better' | 'notes' | 'rubric_version'> | undefined;
  /** The version of the rubric by which people label a score of an evaluation; `undefined` without one. */
  rubricOf(evaluation: string, key: string): string | undefined;
}

/** What reviewers say of one result by one rubric: labels of results that were drawn at random. */
type Votes = Readonly<Record<ReviewLabel['verdict'], readonly ReviewLabel[]>>;

/** A result on which reviewers and judge can be compared. */
export interface Judgement {
  /** Its position in `population`. */
  readonly place: number;
  readonly votes: Votes;
  readonly passed: boolean;
}

/** All that a judge gave in a run where one version of a rubric applies, and the labels by that. */
export interface Judgements {
  readonly key: string;
  readonly rubric_version: string | undefined;
  /** Results of evaluations with this rubric that a sample could draw and that the judge judged: positions in the run. */
  readonly population: readonly number[];
  /** 1 or 0 for its verdicts; where it gives none, its values, more of which is better. */
  readonly predicted: Float64Array;
  readonly areVerdicts: boolean;
  /** Lower values are better, so that `predicted` has their opposites. */
  readonly isLower: boolean;
  readonly clusters: Int32Array;
  /** Of each of the population. */
  readonly strata: Int32Array;
  /** The results in each stratum. */
  readonly sizes: readonly number[];
  /** By place. Results on which as many reviewers say pass as fail are not among them. */
  readonly judged: readonly Judgement[];
  /** What two reviewers or more said of one result: 1 for pass, 0 for fail. */
  readonly several: readonly { readonly ratings: readonly number[]; readonly cluster: number }[];
  readonly counts: ReviewedCounts;
}

/** Results by what was said of them, beside those that are compared. */
export interface ReviewedCounts {
  readonly reviewers: number;
  readonly unsure: number;
  readonly skipped: number;
  /** As many reviewers say pass as fail. */
  readonly tied: number;
  /** Labelled, but the judge gave nothing. */
  readonly not_judged: number;
  /** Picked by hand, from another run, or ran again since they were drawn. */
  readonly not_drawn: number;
  /** Drawn and judged, and nobody has labelled it by this rubric. */
  readonly not_labelled: number;
}

/** The judgements of each score and version of a rubric that has labels, those with the newest label of a score first. */
export function judgementsOf(run: ReviewedRun): Judgements[] {
  const groups = new Map<string, ReviewLabel[]>();
  for (const label of run.labels) {
    const name = JSON.stringify([label.key, label.rubric_version]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [label]);
    else group.push(label);
  }
  const keys = new Set<string>();
  for (const { scores } of run.rows) for (const { key } of scores) keys.add(key);
  const order = [...keys];
  const newest = (labels: readonly ReviewLabel[]) =>
    labels.reduce((last, { at }) => (at > last ? at : last), '');
  return [...groups.values()]
    .map((labels) => ({ labels, at: newest(labels), place: order.indexOf(labels[0]?.key ?? '') }))
    .sort((a, b) => a.place - b.place || (a.at < b.at ? 1 : -1))
    .map(({ labels }) => judgementsBy(run, labels));
}

function judgementsBy(run: ReviewedRun, labels: readonly ReviewLabel[]): Judgements {
  const { key = '', rubric_version } = labels[0] ?? {};
  const { population, scores } = judgedRows(run, key, evaluationsBy(run, labels));
  const areVerdicts = scores.some((score) => score?.passed !== undefined);
  const kept = population.filter((index) => {
    const { passed, value } = scores[index] ?? {};
    return (areVerdicts ? passed : value) !== undefined;
  });
  const isLower = scores.some((score) => score?.better === 'lower');
  const drawn = drawnLabels(run, labels);
  const placeOf = new Map(kept.map((index, place) => [index, place]));
  const votes = votesOf(drawn);
  const clusterNumbers = new ClusterNumbers();
  const clusters = Int32Array.from(kept.map((index) => clusterNumbers.of(rowAt(run, index))));
  const decided = [...votes].flatMap(([index, own]): Judgement[] => {
    const place = placeOf.get(index);
    if (place === undefined || own.pass.length === own.fail.length) return [];
    return [{ place, votes: own, passed: own.pass.length > own.fail.length }];
  });
  const several = [...votes].flatMap(([index, { pass, fail }]) => {
    const cluster = clusters[placeOf.get(index) ?? -1];
    if (pass.length + fail.length < 2 || cluster === undefined) return [];
    return [{ ratings: [...pass.map(() => 1), ...fail.map(() => 0)], cluster }];
  });
  return {
    ...{ key, rubric_version, population: kept, areVerdicts, isLower, clusters, several },
    predicted: numbers(kept.length, (place) =>
      predictionOf(scores[kept[place] ?? -1], { areVerdicts, isLower }),
    ),
    ...stratify(run, { key, population: kept, labels: drawn }),
    judged: decided.sort((a, b) => a.place - b.place),
    counts: {
      ...countLabels(labels, votes, { drawn, placeOf }),
      not_labelled: drawnNow(run).filter((index) => placeOf.has(index) && !votes.has(index)).length,
    },
  };
}

/**
 * True for the evaluations whose judge the labels are of: those of labelled results, and others to which the same version of the rubric
 * applies. A judge of the same score by another rubric is another judge.
 */
function evaluationsBy(
  run: ReviewedRun,
  labels: readonly ReviewLabel[],
): (evaluation: string) => boolean {
  const { key = '', rubric_version } = labels[0] ?? {};
  const labelled = new Set(labels.map(({ index }) => rowAt(run, index).evaluation));
  const known = new Map<string, boolean>();
  return (evaluation) => {
    const isOf =
      known.get(evaluation) ??
      (labelled.has(evaluation) || run.rubricOf(evaluation, key) === rubric_version);
    known.set(evaluation, isOf);
    return isOf;
  };
}

/** The results of evaluations that can be labelled, and the judge's scores of them. */
function judgedRows(run: ReviewedRun, key: string, isOf: (evaluation: string) => boolean) {
  const population: number[] = [];
  const scores: (Pick<ScoreFacts, 'passed' | 'value' | 'better'> | undefined)[] = [];
  for (const [index, row] of run.rows.entries()) {
    scores.push(undefined);
    if (labelledOutput(row) === undefined || !isOf(row.evaluation)) continue;
    const own = countedOf(row).scores.find((one) => one.key === key);
    const score = own?.source === 'human' ? run.judgeOf(index, key) : own;
    population.push(index);
    scores[index] = score;
  }
  return { population, scores };
}

function predictionOf(
  score: Pick<ScoreFacts, 'passed' | 'value' | 'better'> | undefined,
  { areVerdicts, isLower }: Pick<Judgements, 'areVerdicts' | 'isLower'>,
): number {
  const { passed, value = 0 } = score ?? {};
  if (areVerdicts) return Number(passed);
  return isLower ? -value : value;
}

/** The labels of results that were drawn at random, and have the output that they had then. */
function drawnLabels(run: ReviewedRun, labels: readonly ReviewLabel[]): ReviewLabel[] {
  const times = new Map(run.samples.map(({ id, at }) => [id, Date.parse(at)]));
  return labels.filter(({ sample, index }) => {
    const at = sample === undefined ? undefined : times.get(sample);
    return at !== undefined && endOf(rowAt(run, index)) <= at;
  });
}

/** The results that were drawn at random, and have the output that they had then. */
function drawnNow({ rows, samples }: ReviewedRun): number[] {
  const drawn = samples.flatMap((sample) =>
    drawnOf(sample).filter((index) => {
      const row = rows[index];
      return row !== undefined && endOf(row) <= Date.parse(sample.at);
    }),
  );
  return [...new Set(drawn)];
}

/** When the output of a row was there, in Unix milliseconds; long ago if unknown. */
function endOf(row: RowFacts): number {
  const { startedAt, latency } = countedOf(row);
  return startedAt === undefined ? 0 : startedAt + (latency ?? 0) * 1000;
}

function votesOf(labels: readonly ReviewLabel[]): Map<number, Votes> {
  const votes = new Map<number, Record<ReviewLabel['verdict'], ReviewLabel[]>>();
  for (const label of labels) {
    const own = votes.get(label.index) ?? { pass: [], fail: [], unsure: [], skipped: [] };
    own[label.verdict].push(label);
    votes.set(label.index, own);
  }
  return votes;
}

function countLabels(
  labels: readonly ReviewLabel[],
  votes: ReadonlyMap<number, Votes>,
  { drawn, placeOf }: { drawn: readonly ReviewLabel[]; placeOf: ReadonlyMap<number, number> },
): Omit<ReviewedCounts, 'not_labelled'> {
  const rows = [...votes];
  const said = ({ pass, fail }: Votes) => pass.length + fail.length;
  const others = new Set(labels.map(({ index }) => index));
  for (const { index } of drawn) others.delete(index);
  return {
    reviewers: new Set(labels.map(({ reviewer }) => reviewer)).size,
    unsure: rows.filter(([, own]) => said(own) === 0 && own.unsure.length > 0).length,
    skipped: rows.filter(([, own]) => said(own) === 0 && own.unsure.length === 0).length,
    tied: rows.filter(([, own]) => said(own) > 0 && own.pass.length === own.fail.length).length,
    not_judged: rows.filter(([index, own]) => said(own) > 0 && !placeOf.has(index)).length,
    not_drawn: others.size,
  };
}

/**
 * The strata of results. Rows that could be drawn alike are one: by each kind of sample that was labelled, the stratum in
 * which it was drawn, or would be, and which of the samples of that kind were drawn before it had its output. Within such a
 * stratum all rows are equally likely to be in any of the samples, so that those in one of them are drawn at random.
 */
function stratify(
  run: ReviewedRun,
  {
    key,
    population,
    labels,
  }: Pick<Judgements, 'key' | 'population'> & { labels: readonly ReviewLabel[] },
): Pick<Judgements, 'strata' | 'sizes'> {
  const used = new Set(labels.map(({ sample }) => sample));
  const samples = run.samples.filter(({ id }) => used.has(id));
  const kinds = samples.filter((one, i) => samples.findIndex((two) => isSameKind(one, two)) === i);
  const nameOf = kinds.map((kind) => namesBy(run, kind));
  const places = new Map<string, number>();
  const sizes: number[] = [];
  const strata = Int32Array.from(population, (index) => {
    const name = nameOf.map((of) => of(index)).join('\0');
    const place = places.get(name) ?? sizes.length;
    places.set(name, place);
    sizes[place] = (sizes[place] ?? 0) + 1;
    return place;
  });
  const [kind] = kinds;
  if (kinds.length !== 1 || kind?.by !== 'verdict' || kind.key !== key) return { strata, sizes };
  // The judge may have changed its verdicts since, and then rows are no longer in the stratum that they were drawn from.
  const before = run.samples.findLast((one) => isSameKind(one, kind))?.strata ?? [];
  const then = sizes.map((size) => size);
  for (const { name, rows } of before) {
    const place = places.get(`${name}\u00010`);
    if (place !== undefined) then[place] = rows;
  }
  const isSame = then.reduce((sum, size) => sum + size, 0) === population.length;
  return { strata, sizes: isSame ? then : sizes };
}

/** Names the strata of one kind of sample. */
function namesBy(run: ReviewedRun, kind: ReviewSample): (index: number) => string {
  const samples = run.samples.filter((one) => isSameKind(one, kind));
  const times = samples.map(({ at }) => Date.parse(at));
  const drawn = new Map(
    samples.flatMap(({ strata }) =>
      strata.flatMap(({ name, drawn: indices }) => indices.map((index) => [index, name] as const)),
    ),
  );
  return (index) => {
    const row = rowAt(run, index);
    const end = endOf(row);
    return `${drawn.get(index) ?? stratumOf(row, kind)}\u0001${times.filter((at) => at < end).length}`;
  };
}

/** The results of the newest sample that have not been drawn, by any sample of its kind. */
export function leftToDraw({ rows, samples }: Pick<ReviewedRun, 'rows' | 'samples'>): number {
  const newest = samples.at(-1);
  const drawn = new Set(
    samples.flatMap((one) => (newest && isSameKind(one, newest) ? drawnOf(one) : [])),
  );
  return rows.filter((row, index) => labelledOutput(row) !== undefined && !drawn.has(index)).length;
}

function rowAt(run: ReviewedRun, index: number): RowFacts {
  const row = run.rows[index];
  if (row === undefined) throw new RangeError(`There is no row ${index}`);
  return row;
}
