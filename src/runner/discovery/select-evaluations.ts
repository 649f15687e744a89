import { AssayError } from '../../errors.js';
import { fileOf } from '../../model/result.js';
import type { Descriptor, EmptyFile } from '../../protocol/messages.js';
import { unknownNames } from '../../text/list-text.js';
import { nameText } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';
import { NoEvaluationsError } from './discovery-error.js';

/** Selects among discovered evaluations: OR within a kind, AND between kinds. */
export interface Selection {
  /** The files without evaluations. */
  readonly empty: readonly EmptyFile[];
  /** By file: evaluation names (`refund`) or single cases (`refund[polite]`). */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly datasets: readonly string[];
  readonly labels: readonly string[];
  /** Maximum number of cases; trials do not count. */
  readonly limit?: number;
}

/** The selected evaluations, in order. */
export interface Selected {
  readonly evaluations: readonly Descriptor[];
  /** The number of evaluations excluded by `skip`. */
  readonly skipped: number;
  /** True when only evaluations marked `only` were selected. */
  readonly onlyMarked: boolean;
  /** Requested datasets and labels that no evaluation has. */
  readonly unknown: readonly string[];
}

/**
 * Selects evaluations.
 * @throws {AssayError} `nothing-selected` when a name or the filters match nothing
 */
export function select(descriptors: readonly Descriptor[], selection: Selection): Selected {
  checkNames(descriptors, selection.names);
  const matching = descriptors.filter((descriptor) => matches(descriptor, selection));
  const wanted = matching.filter((descriptor) => !descriptor.skip);
  const marked = wanted.filter((descriptor) => descriptor.only);
  const taken = marked.length > 0 ? marked : wanted;
  if (taken.length === 0) throw nothingSelected(descriptors, matching.length, selection);
  return {
    evaluations: selection.limit === undefined ? taken : taken.slice(0, selection.limit),
    skipped: matching.length - wanted.length,
    onlyMarked: marked.length > 0,
    unknown: unknownFilters(descriptors, selection),
  };
}

function unknownFilters(
  descriptors: readonly Descriptor[],
  { datasets, labels }: Selection,
): string[] {
  const has = (is: (descriptor: Descriptor) => boolean) => descriptors.some(is);
  return [
    ...datasets
      .filter((name) => !has((one) => one.dataset === name))
      .map((n) => `dataset ${nameText(n)}`),
    ...labels
      .filter((name) => !has((one) => one.labels.includes(name)))
      .map((n) => `label ${nameText(n)}`),
  ];
}

function matches(descriptor: Descriptor, { names, datasets, labels }: Selection): boolean {
  const wanted = names.size === 0 ? undefined : names.get(fileOf(descriptor));
  if (wanted !== undefined && !wanted.some((name) => isNamed(descriptor, name))) return false;
  if (datasets.length > 0 && !datasets.includes(descriptor.dataset)) return false;
  return labels.length === 0 || descriptor.labels.some((label) => labels.includes(label));
}

function isNamed(descriptor: Descriptor, name: string): boolean {
  return descriptor.function === name || nameOf(descriptor) === name;
}

function nameOf(descriptor: Descriptor): string {
  return descriptor.evaluation.slice(fileOf(descriptor).length + '::'.length);
}

function checkNames(
  descriptors: readonly Descriptor[],
  names: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [file, wanted] of names) {
    const there = descriptors.filter((descriptor) => fileOf(descriptor) === file);
    for (const name of wanted) {
      if (there.some((descriptor) => isNamed(descriptor, name))) continue;
      const known = new Set(there.flatMap((one) => [nameOf(one), one.function]));
      const hint = didYouMean(name, known) ?? '';
      const text = `${nameText(file)} has no evaluation named ${nameText(name)}. ${hint}`.trimEnd();
      throw new AssayError('nothing-selected', text, {
        hints: [`It has: ${[...new Set(there.map(nameOf))].slice(0, 10).join(', ') || 'none'}`],
      });
    }
  }
}

function nothingSelected(
  descriptors: readonly Descriptor[],
  matching: number,
  { empty, datasets, labels }: Selection,
): AssayError {
  if (descriptors.length === 0) return new NoEvaluationsError(empty);
  if (matching > 0) {
    return new AssayError('nothing-selected', `All ${matching} selected evaluations are skipped.`);
  }
  return new AssayError('nothing-selected', 'No evaluation matches the filters.', {
    hints: [
      ...unknownHint(
        'dataset',
        datasets,
        descriptors.map((one) => one.dataset),
      ),
      ...unknownHint(
        'label',
        labels,
        descriptors.flatMap((one) => one.labels),
      ),
    ],
  });
}

function unknownHint(kind: string, wanted: readonly string[], known: readonly string[]): string[] {
  if (wanted.length === 0) return [];
  return [unknownNames(kind, wanted, known)];
}
