import { call, type Item, literal, object, print, property, quoted } from '../code.js';
import { leave, leftComment, type Tally } from '../tally.js';
import { type Assertion, isAssertion } from './assertion.js';
import { type Grader, type GraderContext, graderOf, noteLines, weightedOf } from './graders.js';
import type { HelperName } from './helpers.js';
import type { Test } from './tests.js';

/** An evaluator of a case with the comment above it. */
export interface Placed extends Item {
  readonly grader: Grader;
}

/** The evaluators of a test. `left` gets comments for what has no place beside them. */
export function evaluatorsOf(
  test: Test,
  context: Omit<GraderContext, 'vars'>,
  { tally, left }: { readonly tally: Tally; readonly left: Set<string> },
): Placed[] {
  const strange = Object.entries(test.strange).map(([field, value]) => {
    leave(tally, field);
    return todoFor(field, 'promptfoo does this too, and assay has no option for it.', {
      [field]: value,
    });
  });
  const place = (assertion: Assertion) => placed(assertion, { ...context, vars: test.vars }, tally);
  const decisive = test.assertions.filter((one) => {
    if (one.weight !== 0) return true;
    tally.assertions.set(one, false);
    leave(tally, `${one.type} with weight 0`);
    left.add(leftComment('this never fails, because its weight is 0.', one).join('\n'));
    return false;
  });
  if (test.threshold === undefined) return [...strange, ...decisive.map(place)];
  return [...strange, ...weighed(decisive, test.threshold, { place, tally })];
}

interface Placing {
  readonly place: (assertion: Assertion) => Placed;
  readonly tally: Tally;
}

/** One evaluator for assertions whose mean by weight decides. */
function weighed(
  assertions: readonly Assertion[],
  min: number,
  { place, tally }: Placing,
  key?: string,
): Placed[] {
  if (assertions.length === 0) return [];
  const parts = assertions.map((assertion) => ({ assertion, ...place(assertion) }));
  const vague = parts.find(({ grader }) => !grader.isVerdict);
  if (vague !== undefined) {
    for (const { assertion } of parts) tally.assertions.set(assertion, false);
    leave(tally, 'threshold');
    const reason = `the threshold needs the score of ${vague.assertion.type}, which may be between 0 and 1.`;
    return [todoFor('threshold', reason, { threshold: min, assert: assertions })];
  }
  const grader = weightedOf(
    parts.map(({ grader: one, assertion, comment = [] }) => ({
      ...{ grader: one, name: assertion.type, comment },
      weight: typeof assertion.weight === 'number' ? assertion.weight : 1,
    })),
    min,
    key,
  );
  return [{ grader, code: grader.code }];
}

function placed(assertion: Assertion, context: GraderContext, tally: Tally): Placed {
  if (assertion.type === 'assert-set') return placedSet(assertion, context, tally);
  const grader = graderOf(assertion, context);
  const isDone = typeof grader !== 'string';
  tally.assertions.set(assertion, isDone && tally.assertions.get(assertion) !== false);
  if (isDone) return { grader, code: grader.code, comment: noteLines(grader) };
  leave(tally, assertion.type);
  return todoFor(assertion.type, `${grader}.`, assertion);
}

/** Several assertions that count as one. */
function placedSet(assertion: Assertion, context: GraderContext, tally: Tally): Placed {
  const { type, assert, threshold, metric, weight, ...others } = assertion;
  const given = Array.isArray(assert) ? assert.filter(isAssertion) : [];
  const [strange] = Object.keys(others);
  const isWhole = given.length > 0 && Array.isArray(assert) && given.length === assert.length;
  const hasKey = metric === undefined || (typeof metric === 'string' && !metric.includes('{'));
  const isPlain = !given.some((one) => one.type === type || one.weight === 0);
  if (!isWhole || strange !== undefined || !hasKey || !isPlain) {
    tally.assertions.set(assertion, false);
    leave(tally, type);
    return todoFor(type, 'it has more than assertions with a threshold.', assertion);
  }
  const place = (one: Assertion) => placed(one, context, tally);
  const key = typeof metric === 'string' ? metric : undefined;
  if (typeof threshold === 'number') {
    const [whole] = weighed(given, threshold, { place, tally }, key);
    if (whole !== undefined) return { ...whole, grader: { ...whole.grader, isVerdict: false } };
  }
  const parts = given.map(place);
  const options = key === undefined ? [] : [object([property('key', literal(key))])];
  const comment = parts.flatMap((part) => part.comment ?? []);
  const grader: Grader = {
    code: call('all', [...parts.map(({ code }) => code), ...options]),
    imports: ['all', ...parts.flatMap((part) => part.grader.imports)],
    helpers: parts.flatMap((part) => part.grader.helpers),
    isVerdict: false,
  };
  return { grader, code: grader.code, comment };
}

/** What makes the result an error, so that nothing passes for want of a translation. */
function todoFor(what: string, reason: string, original: unknown): Placed {
  const helpers: readonly HelperName[] = ['todo'];
  const grader: Grader = {
    code: call('todo', [quoted(what)]),
    imports: [],
    helpers,
    isVerdict: true,
  };
  return { grader, code: grader.code, comment: leftComment(reason, original) };
}

/** Evaluators of all tests, apart from those of each. */
export interface Distributed {
  readonly shared: readonly Placed[];
  /** In the order of the tests. */
  readonly own: readonly (readonly Placed[])[];
  /** The evaluator that each test has with another value: the references. */
  readonly byReference?: Placed;
}

/** Puts the evaluators that all tests begin with in one place. */
export function distribute(lists: readonly (readonly Placed[])[]): Distributed {
  const [first = [], ...others] = lists;
  const same = first.findIndex((one, at) => others.some((list) => !isSame(one, list[at])));
  const count = same < 0 ? first.length : same;
  const shared = first.slice(0, count);
  const own = lists.map((list) => list.slice(count));
  const [model] = own[0] ?? [];
  const reference = model?.grader.byReference;
  const isUniform =
    reference !== undefined &&
    own.every((list) => {
      const [only, ...rest] = list;
      const code = only?.grader.byReference?.code;
      return rest.length === 0 && code !== undefined && print(code) === print(reference.code);
    });
  if (!isUniform || model === undefined) return { shared, own };
  return { shared, own, byReference: { ...model, code: reference.code } };
}

function isSame(one: Placed, other: Placed | undefined): boolean {
  return other !== undefined && fingerprint(one) === fingerprint(other);
}

function fingerprint({ code, comment = [] }: Placed): string {
  return `${comment.join('\n')}\n${print(code)}`;
}
