import { describeValue } from '../authoring/describe-value.js';
import { isPlain } from '../authoring/is-record.js';
import { isScoreKey, maxScoreKeyLength } from '../model/scores/score-limits.js';

/** What an argument or an option of a grader must be. */
export interface Rule {
  readonly fits: (value: unknown) => boolean;
  /** `text`, `0 or more`. */
  readonly wanted: string;
}

export const aText: Rule = { fits: (value) => typeof value === 'string', wanted: 'text' };
export const someText: Rule = {
  fits: (value) => typeof value === 'string' && value.trim() !== '',
  wanted: 'some text',
};
export const aFlag: Rule = { fits: (value) => typeof value === 'boolean', wanted: 'true or false' };
export const aNumber: Rule = { fits: Number.isFinite, wanted: 'a number' };
export const aDistance: Rule = {
  fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  wanted: '0 or more',
};
export const aShare: Rule = {
  fits: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  wanted: 'from 0 to 1',
};
export const aFunction: Rule = {
  fits: (value) => typeof value === 'function',
  wanted: 'a function',
};
export const aGrader: Rule = { ...aFunction, wanted: 'a grader' };
const aPlainObject: Rule = { fits: isPlain, wanted: 'an object' };
const aKey: Rule = { fits: isScoreKey, wanted: `1 to ${maxScoreKeyLength} characters` };

/** One of these texts. */
export function oneOfThese(...texts: readonly string[]): Rule {
  return {
    fits: (value) => texts.includes(value as string),
    wanted: texts.map((text) => JSON.stringify(text)).join(' or '),
  };
}

/** The same, or `undefined`. */
export function maybe({ fits, wanted }: Rule): Rule {
  return { fits: (value) => value === undefined || fits(value), wanted };
}

/**
 * Projects without types get here with anything.
 * @throws {TypeError} for a value that is not as it must be: a typo must not make a grader that passes all
 */
export function demand(what: string, value: unknown, { fits, wanted }: Rule): void {
  if (!fits(value)) throw new TypeError(`${what} must be ${wanted}, not ${describeValue(value)}`);
}

/**
 * Checks the options of a grader, `key` among them.
 * @throws {TypeError} for an option that it does not have, and as {@link demand}
 */
export function demandOptions(
  name: string,
  options: unknown,
  rules: { readonly [option: string]: Rule } = {},
): void {
  demand(`the options of ${name}`, options, aPlainObject);
  const known = new Map(Object.entries({ key: aKey, ...rules }));
  for (const [option, value] of Object.entries(options as object)) {
    const rule = known.get(option);
    if (rule === undefined) {
      const names = [...known.keys()].join(', ');
      throw new TypeError(`${name} has no option ${JSON.stringify(option)}, only ${names}`);
    }
    demand(`"${option}" of ${name}`, value, maybe(rule));
  }
}
