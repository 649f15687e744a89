import { caseIdOf, type RowIdentity } from '../result.js';

/** What names are looked for in: a row, or an evaluation that is planned. */
export type Named = Pick<RowIdentity, 'id' | 'function' | 'trial_of'> & {
  /** `<file>::<name>` of the evaluation. */
  readonly evaluation: string;
};

/**
 * A test for what a name means, as it is printed: `faq`, `faq[q5]` or `faq[q5]~1`, each with or without `FILE::` before it.
 * `*` stands for any text (`faq[q*]`), except in a name that has one.
 */
export function isCalled(name: string): (one: Named) => boolean {
  const pattern = name.includes('*') ? globOf(name) : undefined;
  return (one) => {
    const names = namesOf(one);
    return (
      names.includes(name) || (pattern !== undefined && names.some((own) => pattern.test(own)))
    );
  };
}

/** A name without the number of a trial, which does not exist before anything ran. */
export function withoutTrial(name: string): string {
  return name.replace(/~\d+$/, '');
}

/** True for what may be the name of an evaluation or a case: before a `[` stands nothing of a path. */
export function mayBeName(text: string): boolean {
  const [plain = text] = text.split('[', 1);
  return /^[\p{L}_$*][^\p{Cc}\\/:]*$/u.test(plain) && !/\.[cm]?[jt]sx?$/.test(plain);
}

function namesOf(one: Named): string[] {
  const { id, evaluation, function: caseName } = one;
  const caseId = caseIdOf(one);
  const start = caseId.length - caseName.length;
  return [id, caseId, evaluation, id.slice(start), caseName, evaluation.slice(start)];
}

function globOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
