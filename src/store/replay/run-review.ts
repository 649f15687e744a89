import { isDeepStrictEqual } from 'node:util';
import type { ExportedReview, ReviewLabel, ReviewSample } from '../../model/labels.js';
import { drawnOf, isSameKind, isSameLabel, type Rubric, rubricOfText } from '../../model/labels.js';
import type { LabelRecord, LabelsRecord, RubricsRecord } from '../log/records.js';

type RubricsSaid = ExportedReview['rubrics'];

/** Texts of rubrics by the key of their score. */
export type RubricTexts = { readonly [key: string]: string };

/** The samples, labels and rubrics of a run. Rows hold nothing of them. */
export class RunReview {
  readonly samples: ReviewSample[] = [];
  /** Texts of rubrics by version. */
  readonly texts = new Map<string, string>();
  readonly #ofEvaluations = new Map<string, ReadonlyMap<string, string>>();
  readonly #ofJudges = new Map<string, ReadonlyMap<string, string>>();
  readonly #ofProject = new Map<string, string>();
  readonly #drawn = new Map<string, ReadonlySet<number>>();
  readonly #labels = new Map<number, readonly ReviewLabel[]>();
  /** The first verdict of each reviewer on an output by a rubric: after it, the reviewer was shown the judge. */
  readonly #blind = new Map<string, LabelRecord['verdict']>();

  /** Takes in a line about a label, in place of the one before it. */
  addLabel({ type: _, ...label }: LabelRecord): true {
    this.#addLabel(label);
    return true;
  }

  /** Takes in labels that were given together. */
  addLabels({ labels }: LabelsRecord): true {
    for (const label of labels) this.#addLabel(label);
    return true;
  }

  /** The label without its sample if it follows another verdict, after which the judge was shown: it enters no estimate. */
  blindOnly<T extends Omit<LabelRecord, 'type' | 'at'>>(label: T): T | Omit<T, 'sample'> {
    const { verdict } = label;
    if (verdict !== 'pass' && verdict !== 'fail') return label;
    const first = this.#blind.get(blindName(label));
    if (first === undefined || first === verdict) return label;
    const { sample: _, ...picked } = label;
    return picked;
  }

  #addLabel(given: Omit<LabelRecord, 'type'>): void {
    const { verdict, ...said } = this.blindOnly(given);
    const name = blindName(given);
    if ((verdict === 'pass' || verdict === 'fail') && !this.#blind.has(name)) {
      this.#blind.set(name, verdict);
    }
    const others = this.labelsOf(said.index).filter((one) => !isSameLabel(one, said));
    const labels = verdict === null ? others : [...others, { ...said, verdict }];
    if (labels.length > 0) this.#labels.set(said.index, labels);
    else this.#labels.delete(said.index);
  }

  /** Takes in a sample, without what another process has drawn in the meantime. */
  addSample({ type: _, ...sample }: ReviewSample & { readonly type: 'sample' }): true {
    // Two processes may make the same draw at the same time.
    if (this.#drawn.has(sample.id)) return true;
    const before = this.samples.filter((one) => isSameKind(one, sample)).flatMap(drawnOf);
    const taken = new Set(before);
    const strata = sample.strata.map(({ drawn, ...stratum }) => ({
      ...stratum,
      drawn: drawn.filter((index) => !taken.has(index)),
    }));
    this.samples.push({ ...sample, strata });
    this.#drawn.set(sample.id, new Set(drawnOf({ strata })));
    return true;
  }

  /** True if a sample has a result. */
  isDrawn(sample: string, index: number): boolean {
    return this.#drawn.get(sample)?.has(index) === true;
  }

  /** Takes in rubrics beside those of earlier lines. */
  addRubrics({ texts, evaluations = {}, judges = {}, project = {} }: RubricsRecord): true {
    for (const [version, text] of Object.entries(texts)) this.texts.set(version, text);
    for (const [evaluation, of] of Object.entries(evaluations)) {
      this.#ofEvaluations.set(evaluation, new Map(Object.entries(of)));
    }
    for (const [evaluation, of] of Object.entries(judges)) {
      this.#ofJudges.set(evaluation, new Map(Object.entries(of)));
    }
    for (const [key, version] of Object.entries(project)) this.#ofProject.set(key, version);
    return true;
  }

  /**
   * The rubric of a score of an evaluation: its own, else that of the project (`now`: as its settings are now), else that
   * of its judge.
   */
  rubricOf(evaluation: string, key: string, now: RubricTexts = {}): Rubric | undefined {
    const own = this.#ofEvaluations.get(evaluation)?.get(key);
    const text = Object.hasOwn(now, key) ? now[key] : undefined;
    if (own === undefined && text !== undefined) return rubricOfText(text);
    const version = own ?? this.#ofProject.get(key) ?? this.#ofJudges.get(evaluation)?.get(key);
    const known = version === undefined ? undefined : this.texts.get(version);
    return version === undefined || known === undefined ? undefined : { version, text: known };
  }

  /** True if adding these changes nothing. */
  hasRubrics({ texts, evaluations = {}, judges = {}, project = {} }: RubricsSaid): boolean {
    const isSame = (of: ReadonlyMap<string, string> | undefined, said: object) =>
      isDeepStrictEqual(Object.fromEntries(of ?? []), said);
    return (
      Object.keys(texts).every((version) => this.texts.has(version)) &&
      Object.entries(project).every(([key, version]) => this.#ofProject.get(key) === version) &&
      Object.entries(evaluations).every(([id, said]) =>
        isSame(this.#ofEvaluations.get(id), said),
      ) &&
      Object.entries(judges).every(([id, said]) => isSame(this.#ofJudges.get(id), said))
    );
  }

  /** Keys of scores that an evaluation has rubrics of. */
  rubricKeys(evaluation: string): string[] {
    const maps = [this.#ofEvaluations, this.#ofJudges].map((of) => of.get(evaluation));
    return [...new Set(maps.flatMap((of) => [...(of?.keys() ?? [])]))];
  }

  /** The labels of a result, of whatever output. */
  labelsOf(index: number): readonly ReviewLabel[] {
    return this.#labels.get(index) ?? [];
  }

  /** All of it, labels of other outputs included; `undefined` where there is nothing. */
  get exported(): ExportedReview | undefined {
    const { samples, labels } = this;
    if (samples.length + labels.length + this.texts.size === 0) return undefined;
    const byId = (of: ReadonlyMap<string, ReadonlyMap<string, string>>) =>
      Object.fromEntries([...of].map(([id, versions]) => [id, Object.fromEntries(versions)]));
    const rubrics = {
      texts: Object.fromEntries(this.texts),
      evaluations: byId(this.#ofEvaluations),
      judges: byId(this.#ofJudges),
      project: Object.fromEntries(this.#ofProject),
    };
    return { samples, labels, rubrics };
  }

  /** All labels, by result. */
  get labels(): readonly ReviewLabel[] {
    const byIndex = [...this.#labels].sort(([a], [b]) => a - b);
    return byIndex.flatMap(([, labels]) => labels);
  }
}

function blindName(label: Omit<LabelRecord, 'type' | 'at' | 'verdict'>): string {
  const { index, key, reviewer, rubric_version = '', output_hash } = label;
  return [index, output_hash, rubric_version, key, reviewer].join('\n');
}
