import { Flags } from '@oclif/core';
import { conditionFields, parseCondition, patternOf } from '../model/selection/condition.js';
import type { CaseDraw } from '../model/selection/sample.js';
import { listFlag, parseWholeNumber } from './flags.js';

/** The flags that select results, or cases that are to run. */
export function selectionFlags(helpGroup: string) {
  return {
    dataset: listFlag('Only these datasets.', helpGroup),
    label: listFlag('Only results with one of these labels.', helpGroup),
    name: Flags.string({
      char: 't',
      description: 'Only ids in which this regular expression is found.',
      helpGroup,
      helpValue: 'PATTERN',
      multiple: true,
      multipleNonGreedy: true,
      parse: async (text) => {
        patternOf(text);
        return text;
      },
    }),
    where: Flags.string({
      description: `Only results that meet this condition, such as metadata.tier=pro; with several, all of them. Fields: ${conditionFields}. Operators: = != >= <= > < ~ !~.`,
      helpGroup,
      helpValue: 'CONDITION',
      multiple: true,
      multipleNonGreedy: true,
      parse: async (text) => parseCondition(text).text,
    }),
    sample: Flags.custom<number>({
      description: 'Only so many cases, drawn by their ids.',
      helpGroup,
      helpValue: 'N',
      parse: parseWholeNumber('sample', { min: 1 }),
    })(),
    seed: Flags.custom<number>({
      description: 'With --sample: the seed; another one draws other cases. Default: 1.',
      helpGroup,
      helpValue: 'N',
      dependsOn: ['sample'],
      parse: parseWholeNumber('seed', { min: 0 }),
    })(),
  };
}

/** What {@link selectionFlags} give. */
export interface SelectionFlags {
  readonly dataset?: readonly (readonly string[])[] | undefined;
  readonly label?: readonly (readonly string[])[] | undefined;
  readonly name?: readonly string[] | undefined;
  readonly where?: readonly string[] | undefined;
  readonly sample?: number | undefined;
  readonly seed?: number | undefined;
}

/** A selection of results or cases: any of the datasets, any of the labels, all conditions. */
export interface Asked {
  readonly datasets: readonly string[];
  readonly labels: readonly string[];
  /** `--name` is a condition of the id. */
  readonly where?: readonly string[];
  readonly sample?: CaseDraw;
}

/** What the flags ask for. */
export function askedOf({ dataset, label, name, where, sample, seed }: SelectionFlags): Asked {
  const conditions = [...(name ?? []).map((pattern) => `id~${pattern}`), ...(where ?? [])];
  return {
    datasets: dataset?.flat() ?? [],
    labels: label?.flat() ?? [],
    ...(conditions.length > 0 && { where: conditions }),
    ...(sample !== undefined && { sample: { size: sample, seed: seed ?? 1 } }),
  };
}

/** True if the flags leave something out. */
export function isAsking(flags: SelectionFlags): boolean {
  const { datasets, labels, where, sample } = askedOf(flags);
  return datasets.length + labels.length > 0 || where !== undefined || sample !== undefined;
}
