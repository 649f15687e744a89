import { shortHash } from '../text/short-hash.js';
import type { DescribedValues, Descriptor, DescriptorGroup } from './messages.js';

/** Splits descriptors into groups of at most `size`, in order. */
export function* groupDescriptors(
  descriptors: readonly Descriptor[],
  size: number,
): Generator<DescriptorGroup> {
  for (let from = 0; from < descriptors.length; ) {
    const first = descriptors[from] as Descriptor;
    const cases: string[] = [];
    const lines: number[] | undefined = first.lineFile === undefined ? undefined : [];
    for (; from < descriptors.length && cases.length < size; from += 1) {
      const next = descriptors[from] as Descriptor;
      if (!differOnlyInCase(first, next)) break;
      cases.push(caseOf(next));
      lines?.push(next.line ?? 1);
    }
    const { id: _, function: name, ...shared } = first;
    yield { ...shared, name: name.slice(0, name.length - caseOf(first).length), cases, lines };
  }
}

/** The descriptors of a group; they share their strings. */
export function* descriptorsOf(group: DescriptorGroup): Generator<Descriptor> {
  const { name, cases, lines, ...shared } = group;
  for (const [index, of] of cases.entries()) {
    const one = { id: shared.evaluation + of, function: name + of, ...shared };
    if (lines !== undefined) one.line = lines[index];
    yield one;
  }
}

function caseOf({ id, evaluation }: Descriptor): string {
  return id.slice(evaluation.length);
}

function differOnlyInCase(one: Descriptor, other: Descriptor): boolean {
  return (
    one === other ||
    (one.evaluation === other.evaluation &&
      one.dataset === other.dataset &&
      one.cluster === other.cluster &&
      one.trials === other.trials &&
      one.timeout === other.timeout &&
      one.limits === other.limits &&
      sameTexts(one.requires ?? [], other.requires ?? []) &&
      one.scoreRules === other.scoreRules &&
      one.params === other.params &&
      one.rubrics === other.rubrics &&
      one.hasTarget === other.hasTarget &&
      one.skip === other.skip &&
      one.only === other.only &&
      one.lineFile === other.lineFile &&
      (one.lineFile !== undefined || one.line === other.line) &&
      sameTexts(one.labels, other.labels))
  );
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return (
    one === other || (one.length === other.length && one.every((text, at) => text === other[at]))
  );
}

/** A hash by which two machines tell that a case has the same values on both. */
export function keyOfValues(values: Omit<DescribedValues, 'id'>): string {
  const { exact, scoreKey, input, reference, metadata, kept } = values;
  const text = exact ?? JSON.stringify([input, reference, metadata, kept]);
  return shortHash(`${scoreKey ?? ''}\n${text}`);
}
