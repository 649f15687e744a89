import type { ReviewLabel, ReviewSample } from '../../model/labels.js';
import { drawnOf, isSameKind, isSameLabel } from '../../model/labels.js';
import type { LabelRecord } from '../log/records.js';

/** The samples and labels of a run. Rows hold nothing of them. */
export class RunReview {
  readonly samples: ReviewSample[] = [];
  readonly #labels = new Map<number, readonly ReviewLabel[]>();

  /** Takes in a line about a label, in place of the one before it. */
  addLabel({ type: _, verdict, ...said }: LabelRecord): true {
    const others = this.labelsOf(said.index).filter((one) => !isSameLabel(one, said));
    const labels = verdict === null ? others : [...others, { ...said, verdict }];
    if (labels.length > 0) this.#labels.set(said.index, labels);
    else this.#labels.delete(said.index);
    return true;
  }

  /** Takes in a sample, without what another process has drawn in the meantime. */
  addSample({ type: _, ...sample }: ReviewSample & { readonly type: 'sample' }): true {
    const before = this.samples.filter((one) => isSameKind(one, sample)).flatMap(drawnOf);
    const taken = new Set(before);
    const strata = sample.strata.map(({ drawn, ...stratum }) => ({
      ...stratum,
      drawn: drawn.filter((index) => !taken.has(index)),
    }));
    this.samples.push({ ...sample, strata });
    return true;
  }

  /** The labels of a result, of whatever output. */
  labelsOf(index: number): readonly ReviewLabel[] {
    return this.#labels.get(index) ?? [];
  }

  /** All labels, by result. */
  get labels(): readonly ReviewLabel[] {
    const byIndex = [...this.#labels].sort(([a], [b]) => a - b);
    return byIndex.flatMap(([, labels]) => labels);
  }
}
