import { posix } from 'node:path';
import { countOf } from '../../text/count-text.js';
import { pathWord, shellWord } from '../../text/shell-word.js';
import { asTyped } from '../as-typed.js';
import type { Translation } from './from/translation.js';
import type { InitPlan } from './init-project.js';

type Translated = InitPlan['translations'][number];

/** What became of a file of another tool, in `--json`. */
export interface TranslatedJson {
  readonly from: string;
  readonly to: string;
  /** `null` where only its code knows. */
  readonly cases: number | null;
  /** Cases without an evaluator. */
  readonly ungraded: number;
  /** Assertions or scorers, as the original has them. */
  readonly assertions: number;
  readonly translated_assertions: number;
  /** What has no translation, with how often. */
  readonly untranslated: Readonly<Record<string, number>>;
}

export function translationJson({ from, to, cases, ungraded, tally }: Translated): TranslatedJson {
  return {
    ...{ from, to, ungraded, cases: cases ?? null },
    assertions: tally.assertions.size,
    translated_assertions: doneOf(tally),
    untranslated: Object.fromEntries(tally.left),
  };
}

function doneOf({ assertions }: Translation['tally']): number {
  return [...assertions.values()].filter(Boolean).length;
}

/** What became of a file, in lines for people. */
export function translationLines({
  from,
  to,
  cases,
  params,
  tally,
  ungraded,
}: Translated): string[] {
  const { prompt = [], model = [] } = params;
  const counts = [
    ...(cases === undefined ? [] : [countOf(cases, 'case')]),
    ...(prompt.length > 0 ? [countOf(prompt.length, 'prompt')] : []),
    ...(model.length > 0 ? [countOf(model.length, 'model')] : []),
    `${doneOf(tally)} of ${countOf(tally.assertions.size, 'assertion')} translated`,
  ];
  const left = [...tally.left].map(([what, count]) => (count === 1 ? what : `${what} (${count})`));
  return [
    `${from} → ${to}: ${counts.join(', ')}`,
    ...(left.length === 0 ? [] : [`  not translated, see TODO: ${left.join(', ')}`]),
    ...(ungraded === 0
      ? []
      : [
          `  ${countOf(ungraded, 'case')} without assertions: no verdict here, passed in promptfoo`,
        ]),
  ];
}

/** Commands to go on with. */
export function nextCommands(plan: InitPlan): string[] {
  const { isInstalled, missing, translations, addCommand } = plan;
  return [
    ...(isInstalled ? [] : [`${addCommand} assay`]),
    ...(missing.length === 0 ? [] : [`${addCommand} ${missing.join(' ')}`]),
    asTyped(['assay run', ...runWords(translations)].join(' ')),
  ];
}

const written = '.assay.eval.ts';

/** A file with all its variants; several files as they are. */
function runWords(translations: readonly Translated[]): string[] {
  const [only, ...others] = translations;
  if (only === undefined) return [];
  if (others.length > 0) {
    const folders = new Set(translations.map(({ to }) => posix.dirname(to)));
    const [folder = ''] = folders;
    const isApart = folders.size > 1 || translations.some(({ to }) => !to.endsWith(written));
    return isApart
      ? translations.map(({ to }) => pathWord(to))
      : [shellWord(posix.join(folder, `*${written}`))];
  }
  const many = Object.entries(only.params).filter(([, values]) => values.length > 1);
  return [
    pathWord(only.to),
    ...many.flatMap(([name, values]) => ['--param', shellWord(`${name}=${values.join(',')}`)]),
  ];
}
