import { AssayError } from '../../errors.js';
import { fileOf } from '../../model/result.js';
import { isCalled, withoutTrial } from '../../model/selection/named.js';
import { type CaseDraw, drawCases } from '../../model/selection/sample.js';
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
  /** Names in any file, each with the error if nothing is called so. */
  readonly anywhere?: ReadonlyMap<string, AssayError>;
  /** Ids of the cases that meet the conditions. Default: all. */
  readonly meeting?: ReadonlySet<string>;
  readonly sample?: CaseDraw;
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
  const isNamed = nameTest(descriptors, selection);
  const isMeant = (one: Descriptor) => isNamed(one) && matches(one, selection);
  const matching = descriptors.filter(isMeant);
  const wanted = matching.filter((descriptor) => !descriptor.skip);
  const marked = wanted.filter((descriptor) => descriptor.only);
  const all = marked.length > 0 ? marked : wanted;
  const taken = sampleOf(all, selection.sample);
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

function matches(descriptor: Descriptor, { datasets, labels, meeting }: Selection): boolean {
  if (meeting !== undefined && !meeting.has(descriptor.id)) return false;
  if (datasets.length > 0 && !datasets.includes(descriptor.dataset)) return false;
  return labels.length === 0 || descriptor.labels.some((label) => labels.includes(label));
}

/** A test for what the names select. */
function nameTest(
  descriptors: readonly Descriptor[],
  { names, anywhere = new Map() }: Selection,
): (descriptor: Descriptor) => boolean {
  const byFile = new Map([...names].map(([file, wanted]) => [file, wanted.map(called)]));
  const inAny = [...anywhere].map(([name, problem]) => calledAnywhere(descriptors, name, problem));
  return (descriptor) => {
    const tests = byFile.get(fileOf(descriptor));
    return tests === undefined || [...tests, ...inAny].some((test) => test(descriptor));
  };
}

/** A test for a name in any file. Error: `nothing-selected` if a name without `*` is in several. */
function calledAnywhere(descriptors: readonly Descriptor[], name: string, problem: AssayError) {
  const test = called(name);
  const found = descriptors.filter(test);
  if (found.length === 0) throw unknownAnywhere(descriptors, name, problem);
  const files = new Set(found.map(fileOf));
  if (files.size === 1 || name.includes('*')) return test;
  throw new AssayError(
    'nothing-selected',
    `${nameText(name)} is in ${files.size} files: name one with it.`,
    { hints: [...files].map((file) => `${file}::${name}`) },
  );
}

function unknownAnywhere(
  descriptors: readonly Descriptor[],
  name: string,
  { code, message, hints }: AssayError,
): AssayError {
  const known = new Set(descriptors.flatMap((one) => [nameOf(one), one.function]));
  const hint = didYouMean(name, known);
  return new AssayError(code, message, {
    hints: [...hints, ...(hint === undefined ? [] : [hint])],
  });
}

/** A test for a name as it is printed; that of a trial means its case. */
function called(name: string): (descriptor: Descriptor) => boolean {
  const [exact, ofCase] = [isCalled(name), isCalled(withoutTrial(name))];
  return (descriptor) => exact(descriptor) || ofCase(descriptor);
}

function sampleOf(descriptors: readonly Descriptor[], sample: CaseDraw | undefined) {
  if (sample === undefined) return descriptors;
  const drawn = drawCases(
    descriptors.map(({ id }) => id),
    sample,
  );
  return descriptors.filter(({ id }) => drawn.has(id));
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
      if (there.some(called(name))) continue;
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
