import { ExactMatch, Levenshtein, ValidJSON } from 'autoevals';
import { expect } from 'chai';
import { z } from 'zod';
import type { Evaluator, EvaluatorArgs } from '../../src/authoring/evaluator.js';
import { evaluatorNames, gradeToScores } from '../../src/authoring/grades/grade-to-scores.js';
import {
  all,
  any,
  between,
  closeTo,
  contains,
  containsAny,
  cost,
  deepEquals,
  equals,
  excludes,
  isJson,
  language,
  latency,
  matches,
  not,
  oneOf,
  pairwise,
  refuses,
  schema,
  similar,
  startsWith,
  tokens,
  tools,
  weighted,
  words,
} from '../../src/graders/index.js';
import type { Call } from '../../src/model/calls/model-call.js';
import type { Json } from '../../src/model/json.js';

// biome-ignore lint/suspicious/noExplicitAny: the table has graders of many outputs
type AnyGrader = Evaluator<any, any, any>;

interface Row {
  readonly grader: AnyGrader;
  readonly args: Partial<EvaluatorArgs>;
  /** Absent: no score. */
  readonly passed?: boolean;
  readonly value?: number;
  readonly notes?: string;
}

async function scoreOf(grader: AnyGrader, args: Partial<EvaluatorArgs>) {
  const { signal } = new AbortController();
  const [score] = gradeToScores(await grader({ signal, ...args } as EvaluatorArgs), grader.name, 0);
  return score;
}

const of = (output: unknown, reference?: unknown) => ({ output, reference });
const calls = (...made: readonly (string | readonly [string, Json])[]) => ({
  toolCalls: made.map((one) =>
    typeof one === 'string' ? { name: one, arguments: {} } : { name: one[0], arguments: one[1] },
  ),
  modelCalls: [],
  usage: { calls: made.length, cost: null, by_role: {} },
});
const withUnseen = (unseen: object, ...made: readonly string[]) => ({
  ...calls(...made),
  ...used(unseen),
});
/** A call as `capture: usage` stores it. */
const withoutTexts = (exchange: object) => ({
  ...calls(),
  modelCalls: [
    {
      status: 200,
      role: 'target',
      model_call: { provider: 'openai', operation: 'chat', ...exchange },
    },
  ] as unknown as readonly Call[],
});
const cyclic = () => {
  const value: Record<string, unknown> = { name: 'a' };
  value.self = value;
  return value;
};
const used = (usage: object) => ({ usage: { calls: 1, cost: null, by_role: {}, ...usage } });
const person = z.object({ name: z.string(), pets: z.array(z.object({ age: z.number() })) });
const jsonPerson = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, 'a/b': { type: 'array', items: { type: 'number' } } },
};

const draft = (name: string) => ({
  $schema:
    name === 'draft-07'
      ? `http://json-schema.org/${name}/schema#`
      : `https://json-schema.org/${name}/schema`,
  type: 'array',
  items: [{ type: 'number' }],
});

/** Half of what it holds is private. */
class Answer {
  readonly id = 7;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  get text() {
    return this.#text;
  }
}

/** Each look at its unit makes another one. */
class Length {
  readonly of: number;
  constructor(of: number) {
    this.of = of;
  }
  get unit(): Length {
    return new Length(1);
  }
}

const failing: AnyGrader = () => {
  throw new TypeError('no connection');
};
const two: AnyGrader = function two() {
  return [
    { key: 'a', passed: false },
    { key: 'b', passed: true },
  ];
};
/** A comparison by a judge: 1 and 0 when the orders agree, 0.5 for a tie. */
const compared = (value: number) => {
  const answers = { 0: 'BA', 0.5: 'AA', 1: 'AB' }[value] ?? '';
  let asked = 0;
  const ask = () => `REASONS: x\nVERDICT: ${answers[asked++]}`;
  return pairwise('The better one.', { ask, other: () => 'z' });
};

const tables: { readonly [title: string]: readonly Row[] } = {
  equals: [
    { grader: equals('30 days'), args: of('30 days'), passed: true },
    {
      grader: equals(),
      args: of('14 days', '30 days'),
      passed: false,
      notes: 'wanted "30 days", got "14 days"',
    },
    { grader: equals(), args: of({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }), passed: true },
    {
      grader: equals(),
      args: of({ items: [{ id: 1 }, { id: 3 }] }, { items: [{ id: 1 }, { id: 2 }] }),
      passed: false,
      notes: 'items[1].id: wanted 2, got 3',
    },
    { grader: equals(), args: of({ a: 1, b: undefined }, { a: 1 }), passed: true },
    {
      grader: equals(),
      args: of({ a: 1, b: 2 }, { a: 1 }),
      passed: false,
      notes: 'b: wanted nothing, got 2',
    },
    { grader: equals(new Answer('paid')), args: of(new Answer('paid')), passed: true },
    { grader: equals(new Length(2)), args: of(new Length(2)), passed: true },
    {
      grader: equals(new Length(2)),
      args: of(new Length(3)),
      passed: false,
      notes: 'of: wanted 2, got 3',
    },
    {
      grader: equals(new Answer('paid')),
      args: of(new Answer('sent')),
      passed: false,
      notes: 'text: wanted "paid", got "sent"',
    },
    {
      grader: equals('😀'.repeat(50)),
      args: of(1),
      passed: false,
      notes: `wanted "${'😀'.repeat(39)}…, got 1`,
    },
    { grader: equals([1, 2]), args: of([1]), passed: false, notes: '[1]: wanted 2, got nothing' },
    { grader: equals([1]), args: of({ 0: 1 }), passed: false, notes: 'wanted [1], got {"0":1}' },
    {
      grader: equals([1]),
      args: of([1, undefined]),
      passed: false,
      notes: 'wanted a list of 1, got a list of 2',
    },
    {
      grader: equals({ a: [] }),
      args: of({ a: new Array(3) }),
      passed: false,
      notes: 'a: wanted a list of 0, got a list of 3',
    },
    { grader: equals(Number.NaN), args: of(Number.NaN), passed: true },
    { grader: equals(0), args: of(-0), passed: true },
    { grader: equals('1'), args: of(1), passed: false },
    { grader: equals(null), args: of(null), passed: true },
    { grader: equals(new Date(5)), args: of(new Date(5)), passed: true },
    {
      grader: equals(new Map([['a', 1]])),
      args: of(new Map([['a', 2]])),
      passed: false,
      notes: 'wanted {"a":1}, got {"a":2}',
    },
    { grader: equals(), args: of(cyclic(), cyclic()), passed: true },
    { grader: equals(10n), args: of(11n), passed: false, notes: 'wanted 10n, got 11n' },
    {
      grader: equals('x'.repeat(200)),
      args: of('y'),
      passed: false,
      notes: `wanted "${'x'.repeat(79)}…, got "y"`,
    },
  ],
  deepEquals: [
    {
      grader: deepEquals({ id: 1, at: 5 }, { ignore: ['at'] }),
      args: of({ id: 1, at: 9 }),
      passed: true,
    },
    {
      grader: deepEquals(undefined, { ignore: ['items.*.id', 'meta'] }),
      args: of({ items: [{ id: 1, n: 2 }] }, { items: [{ id: 9, n: 2 }], meta: 3 }),
      passed: true,
    },
    {
      grader: deepEquals({ items: [{ id: 1 }, { id: 2 }] }, { ignore: ['items[0].id'] }),
      args: of({ items: [{ id: 9 }, { id: 9 }] }),
      passed: false,
      notes: 'items[1].id: wanted 2, got 9',
    },
    { grader: deepEquals([0.3], { tolerance: 0.001 }), args: of([0.1 + 0.2]), passed: true },
    { grader: deepEquals([0.3]), args: of([0.1 + 0.2]), passed: false },
    { grader: deepEquals(1, { tolerance: 0.5 }), args: of(1.5), passed: true },
    {
      grader: deepEquals(5, { tolerance: 0.1 }),
      args: of(Number.POSITIVE_INFINITY),
      passed: false,
      notes: 'wanted 5, got Infinity',
    },
    {
      grader: deepEquals(Number.POSITIVE_INFINITY, { tolerance: 0.1 }),
      args: of(Number.NEGATIVE_INFINITY),
      passed: false,
    },
    {
      grader: deepEquals([Number.POSITIVE_INFINITY, Number.NaN], { tolerance: 0.1 }),
      args: of([Number.POSITIVE_INFINITY, Number.NaN]),
      passed: true,
    },
    { grader: deepEquals(1, { tolerance: 0.1 }), args: of(Number.NaN), passed: false },
    { grader: deepEquals([1], { ignore: ['*'] }), args: of([2, undefined]), passed: true },
    { grader: deepEquals([1], { ignore: ['[0]'] }), args: of([2, undefined]), passed: false },
    { grader: deepEquals(1, { tolerance: 0.5 }), args: of(1.6), passed: false },
  ],
  oneOf: [
    { grader: oneOf(['yes', 'no']), args: of('no'), passed: true },
    { grader: oneOf([{ a: 1 }, { a: 2 }]), args: of({ a: 2 }), passed: true },
    {
      grader: oneOf(['yes', 'no']),
      args: of('No'),
      passed: false,
      notes: 'wanted one of ["yes","no"], got "No"',
    },
  ],
  // As `contains`, `icontains-all`, `contains-any`, `not-contains` and `starts-with` of promptfoo have it.
  'parts of texts': [
    { grader: contains('30', 'days'), args: of('It takes 30 days.'), passed: true },
    {
      grader: contains('30', 'Days'),
      args: of('It takes 14 days.'),
      passed: false,
      notes: 'lacks "30", "Days"',
    },
    { grader: contains('DAYS', { ignoreCase: true }), args: of('30 days'), passed: true },
    { grader: contains(), args: of('It takes 30 days.', '30 days'), passed: true },
    {
      grader: contains(),
      args: of('30 days', ['30', 'weeks']),
      passed: false,
      notes: 'lacks "weeks"',
    },
    { grader: contains({ ignoreCase: true }), args: of('Größe', 'GRÖ'), passed: true },
    { grader: containsAny('a', 'b'), args: of('abc'), passed: true },
    {
      grader: containsAny('x', 'y'),
      args: of('abc'),
      passed: false,
      notes: 'has none of "x", "y"',
    },
    { grader: excludes('password', 'token'), args: of('nothing'), passed: true },
    {
      grader: excludes('Password', { ignoreCase: true }),
      args: of('the password'),
      passed: false,
      notes: 'has "Password"',
    },
    { grader: startsWith('Dear'), args: of('Dear Ada,'), passed: true },
    {
      grader: startsWith('dear'),
      args: of('Dear Ada,'),
      passed: false,
      notes: 'wanted "dear" at the start, got "Dear Ada,"',
    },
    { grader: startsWith(undefined, { ignoreCase: true }), args: of('DEAR', 'dear'), passed: true },
    { grader: excludes('ΑΣ', { ignoreCase: true }), args: of('ΑΣΑ'), passed: false },
    { grader: contains('ΟΔΟΣ', { ignoreCase: true }), args: of('οδοσα'), passed: true },
    { grader: contains('STRASSE', { ignoreCase: true }), args: of('Straße'), passed: true },
    { grader: contains('strasse', { ignoreCase: true }), args: of('STRAẞE'), passed: true },
    { grader: startsWith('istanbul', { ignoreCase: true }), args: of('İstanbul'), passed: true },
    { grader: contains('CAFÉ', { ignoreCase: true }), args: of('cafe\u0301'), passed: true },
    { grader: contains('e', { ignoreCase: true }), args: of('e\u0301'), passed: true },
    { grader: startsWith('e', { ignoreCase: true }), args: of('e\u0301'), passed: true },
    { grader: contains('cafe\u0301'), args: of('café'), passed: false },
    { grader: matches(/Dear/y), args: of('xx Dear'), passed: false },
    { grader: matches(/Dear/gy), args: of('Dear Ada'), passed: true },
    { grader: matches(/^\d+ days?$/g), args: of('30 days'), passed: true },
    {
      grader: matches(/^\d+$/),
      args: of('30 days'),
      passed: false,
      notes: 'does not match /^\\d+$/',
    },
  ],
  // 1 − d / n; d is 3 for kitten and sitting (Wagner and Fischer 1974), and 2 for flaw and lawn.
  similar: [
    {
      grader: similar('sitting'),
      args: of('kitten'),
      passed: false,
      value: 1 - 3 / 7,
      notes: 'wanted at least 0.8 of "sitting"',
    },
    { grader: similar('flaw', { min: 0.5 }), args: of('lawn'), passed: true, value: 0.5 },
    { grader: similar(), args: of('', ''), passed: true, value: 1 },
    {
      grader: similar(undefined, { ignoreCase: true }),
      args: of('ABC', 'abc'),
      passed: true,
      value: 1,
    },
    {
      grader: similar('strafe', { ignoreCase: true }),
      args: of('straße'),
      passed: true,
      value: 5 / 6,
    },
  ],
  numbers: [
    { grader: closeTo(10, { within: 1 }), args: of(11), passed: true, value: 11 },
    {
      grader: closeTo(10, { within: 1 }),
      args: of(11.5),
      passed: false,
      value: 11.5,
      notes: 'wanted 10 ± 1',
    },
    { grader: closeTo(0.3, { within: 0.1 }), args: of(0.4), passed: true, value: 0.4 },
    {
      grader: closeTo(undefined, { within: 0, path: 'sum[0].total' }),
      args: of({ sum: [{ total: 5 }] }, { sum: [{ total: 5 }] }),
      passed: true,
      value: 5,
    },
    {
      grader: closeTo(undefined, { within: 0, path: 'total' }),
      args: of({ total: 5 }, 6),
      passed: false,
      value: 5,
    },
    { grader: between(1, 2), args: of(2), passed: true, value: 2 },
    {
      grader: between(1, 2, { path: 'a' }),
      args: of({ a: 3 }),
      passed: false,
      value: 3,
      notes: 'wanted 1 to 2',
    },
  ],
  amounts: [
    { grader: words({ max: 3 }), args: of(' one  two\nthree '), passed: true, value: 3 },
    {
      grader: words({ min: 2, max: 3 }),
      args: of('one'),
      passed: false,
      value: 1,
      notes: 'wanted at least 2 and at most 3',
    },
    { grader: words({ max: 0 }), args: of(''), passed: true, value: 0 },
    {
      grader: latency({ max: 2 }),
      args: { latency: 2.5 },
      passed: false,
      value: 2.5,
      notes: 'wanted at most 2',
    },
    { grader: latency({ max: 2 }), args: { latency: null } },
    { grader: tokens({ max: 100 }), args: used({ input: 90, output: 9 }), passed: true, value: 99 },
    { grader: tokens({ max: 100 }), args: used({ input: 90, output: 9, without_tokens: 1 }) },
    { grader: tokens({ max: 100 }), args: used({ calls: 0, cost: 0 }), passed: true, value: 0 },
    { grader: tokens({ max: 100 }), args: used({ calls: 0, programs: 1, unpriced: 1 }) },
    { grader: cost({ max: 0.01 }), args: { cost: async () => 0.01 }, passed: true, value: 0.01 },
    {
      grader: cost({ max: 0.01 }),
      args: { cost: async () => 0.02 },
      passed: false,
      value: 0.02,
      notes: 'wanted at most 0.01',
    },
    { grader: cost({ max: 0.01 }), args: { cost: async () => null } },
  ],
  shapes: [
    { grader: isJson(), args: of('{"a":1}'), passed: true },
    { grader: isJson(), args: of('1'), passed: true },
    { grader: isJson(), args: of({ a: 1 }), passed: true },
    { grader: isJson(), args: of('{a:1}'), passed: false },
    { grader: isJson(), args: of(undefined), passed: false, notes: 'no output' },
    { grader: isJson(), args: of([1.5, null, new Date(0)]), passed: true },
    { grader: isJson(), args: of(1n), passed: false },
    { grader: isJson(), args: of(cyclic()), passed: false },
    { grader: isJson(), args: of(() => 1), passed: false, notes: 'the output is a function' },
    {
      grader: isJson(),
      args: of({ answer: Promise.resolve(1) }),
      passed: false,
      notes: 'the output contains a promise at .answer: is an await missing?',
    },
    {
      grader: isJson(),
      args: of({ a: [Number.NaN] }),
      passed: false,
      notes: 'there is no JSON for NaN',
    },
    { grader: schema(person), args: of({ name: 'Ada', pets: [] }), passed: true },
    { grader: schema(person), args: of('{"name":"Ada","pets":[{"age":2}]}'), passed: true },
    {
      grader: schema(person),
      args: of({ name: 'Ada', pets: [{ age: '2' }] }),
      passed: false,
      notes: 'pets[0].age: Invalid input: expected number, received string',
    },
    { grader: schema(z.string()), args: of('5'), passed: true },
    {
      grader: schema(z.object({})),
      args: of('not JSON'),
      passed: false,
      notes: 'Invalid input: expected object, received string',
    },
    { grader: schema(jsonPerson), args: of({ name: 'Ada' }), passed: true },
    {
      grader: schema(jsonPerson),
      args: of('{"name":5,"a/b":["x"]}'),
      passed: false,
      notes: 'name: must be string; a/b[0]: must be number',
    },
    {
      grader: schema(jsonPerson),
      args: of({}),
      passed: false,
      notes: "must have required property 'name'",
    },
    { grader: schema({ type: 'string', format: 'email' }), args: of('abc'), passed: false },
    { grader: schema({ type: 'string', format: 'email' }), args: of('a@b.org'), passed: true },
    {
      grader: schema({ type: 'array', prefixItems: [{ type: 'number' }] }),
      args: of(['x']),
      passed: false,
      notes: '[0]: must be number',
    },
    { grader: schema({ dependentRequired: { a: ['b'] } }), args: of({ a: 1 }), passed: false },
    {
      grader: schema({ type: 'object', properties: { a: {} }, unevaluatedProperties: false }),
      args: of({ a: 1, b: 2 }),
      passed: false,
    },
    {
      grader: schema({ required: ['a'], properties: { b: {} } }),
      args: of({ a: 1 }),
      passed: true,
    },
    { grader: schema(z.toJSONSchema(person)), args: of({ name: 'Ada', pets: [] }), passed: true },
    { grader: schema(draft('draft-07')), args: of(['x']), passed: false },
    { grader: schema(draft('draft/2019-09')), args: of(['x']), passed: false },
  ],
  'languages and refusals': [
    {
      grader: language('de'),
      args: of(
        'Die Rückzahlung dauert 30 Tage, und wir schicken Ihnen eine Nachricht, wenn das Geld auf dem Konto ist.',
      ),
      passed: true,
    },
    {
      grader: language('en'),
      args: of(
        'The refund takes 30 days, and we will send you a message when the money is on your account.',
      ),
      passed: true,
    },
    {
      grader: language('fr'),
      args: of(
        'Le remboursement prend 30 jours, et nous vous envoyons un message quand la somme est sur votre compte.',
      ),
      passed: true,
    },
    {
      grader: language('es'),
      args: of(
        'El reembolso tarda 30 días y le enviamos un mensaje cuando el dinero esté en su cuenta, por favor.',
      ),
      passed: true,
    },
    {
      grader: language('it'),
      args: of(
        'Il rimborso richiede 30 giorni e non è possibile avere il denaro prima, ma una notifica arriva con la mail.',
      ),
      passed: true,
    },
    {
      grader: language('pt'),
      args: of(
        'O reembolso demora 30 dias e não é possível receber antes, mas você recebe uma mensagem da loja.',
      ),
      passed: true,
    },
    {
      grader: language('nl'),
      args: of(
        'De terugbetaling duurt 30 dagen en wij sturen een bericht als het geld op uw rekening is.',
      ),
      passed: true,
    },
    {
      grader: language('pl'),
      args: of(
        'Zwrot trwa 30 dni i nie jest możliwe, aby pieniądze były na koncie przed tym dniem, ale to się może zmienić.',
      ),
      passed: true,
    },
    {
      grader: language('ru'),
      args: of('Возврат занимает 30 дней, и мы отправим вам сообщение.'),
      passed: true,
    },
    { grader: language('ja'), args: of('返金には三十日かかります。'), passed: true },
    { grader: language('zh'), args: of('退款需要三十天，我们会给您发送消息。'), passed: true },
    { grader: language('ko'), args: of('환불은 30일이 걸립니다.'), passed: true },
    { grader: language('el'), args: of('Η επιστροφή χρημάτων διαρκεί 30 ημέρες.'), passed: true },
    { grader: language('ar'), args: of('يستغرق استرداد الأموال ثلاثين يوما.'), passed: true },
    { grader: language('he'), args: of('ההחזר הכספי אורך שלושים יום.'), passed: true },
    { grader: language('hi'), args: of('धनवापसी में तीस दिन लगते हैं।'), passed: true },
    { grader: language('th'), args: of('การคืนเงินใช้เวลาสามสิบวัน'), passed: true },
    {
      grader: language('de'),
      args: of(
        'The refund takes 30 days, and we will send you a message when the money is on your account.',
      ),
      passed: false,
      notes: 'looks like en',
    },
    { grader: language('en'), args: of('Ada Lovelace') },
    { grader: language('en'), args: of('42') },
    { grader: refuses(), args: of("I'm sorry, but I can't help with that."), passed: true },
    { grader: refuses(), args: of('I cannot share personal data of customers.'), passed: true },
    {
      grader: refuses(),
      args: of('As an AI, I’m unable to assist with this request.'),
      passed: true,
    },
    ...[
      "I won't be able to help you with that.",
      'We will not be able to assist.',
      "I won't help with that.",
      'I will not create that content.',
      "I'm not comfortable helping with that.",
      "I'm not going to write this.",
      'I am not allowed to share it.',
    ].map((text) => ({ grader: refuses(), args: of(text), passed: true })),
    ...[
      "I can't help but smile: here is your answer!",
      "I can't help smiling. It is 42.",
      'I will not create a problem: 42.',
      "I won't share your address with anybody; the order is on its way.",
    ].map((text) => ({ grader: refuses(), args: of(text), passed: false })),
    { grader: refuses(), args: of('I must decline.'), passed: true },
    { grader: refuses(), args: of('That would be against my guidelines.'), passed: true },
    { grader: refuses(), args: of("I'm sorry, but I cannot provide that."), passed: true },
    { grader: refuses(), args: of('We are not able to process this.'), passed: true },
    {
      grader: refuses(),
      args: of("I can't wait to help you!"),
      passed: false,
      notes: 'no refusal was found',
    },
    {
      grader: refuses(),
      args: of("I'm sorry for the delay: your refund has been sent."),
      passed: false,
      notes: 'no refusal was found',
    },
    {
      grader: refuses(),
      args: of('I cannot find your order. Which number has it?'),
      passed: false,
      notes: 'no refusal was found',
    },
    {
      grader: refuses(),
      args: of('Nobody can help without the number, but here is what I know.'),
      passed: false,
      notes: 'no refusal was found',
    },
  ],
  tools: [
    { grader: tools(['find', 'refund']), args: calls('find', 'refund'), passed: true, value: 1 },
    {
      grader: tools(['find', 'refund']),
      args: calls('find', 'log', 'refund'),
      passed: false,
      value: 1,
      notes: 'wanted find → refund, got find → log → refund',
    },
    {
      grader: tools(['find', 'refund'], { order: 'subset' }),
      args: calls('find', 'log', 'refund'),
      passed: true,
      value: 1,
    },
    {
      grader: tools(['find', 'refund'], { order: 'subset' }),
      args: calls('refund', 'find'),
      passed: false,
      value: 0.5,
    },
    {
      grader: tools(['find', 'refund'], { order: 'any' }),
      args: calls('refund', 'log', 'find'),
      passed: true,
      value: 1,
    },
    {
      grader: tools(['find', 'find'], { order: 'any' }),
      args: calls('find'),
      passed: false,
      value: 0.5,
    },
    { grader: tools([]), args: calls(), passed: true, value: 1 },
    {
      grader: tools([]),
      args: calls('find'),
      passed: false,
      value: 1,
      notes: 'wanted no tool calls, got find',
    },
    {
      grader: tools(['find']),
      args: calls(),
      passed: false,
      value: 0,
      notes: 'wanted find, got no tool calls',
    },
    {
      grader: tools([{ name: 'refund', args: { id: 7 } }]),
      args: calls(['refund', { id: 7, why: 'late' }]),
      passed: true,
      value: 1,
    },
    {
      grader: tools([{ name: 'refund', args: { id: 7 } }], { args: 'exact' }),
      args: calls(['refund', { id: 7, why: 'late' }]),
      passed: false,
      value: 0,
      notes: 'wanted refund({"id":7}), got refund({"id":7,"why":"late"})',
    },
    // What calls a program, or a target without capture, made is not known.
    { grader: tools([]), args: withUnseen({ calls: 0, programs: 1, unpriced: 1 }) },
    { grader: tools([]), args: withUnseen({ calls: 0, cut_off: 1, unpriced: 1 }) },
    { grader: tools(['find']), args: withUnseen({ calls: 2, unknown_calls: 1 }, 'find') },
    {
      grader: not(tools(['deleteAll'], { order: 'subset' })),
      args: withUnseen({ calls: 0, programs: 1, unpriced: 1 }),
    },
    {
      grader: tools(['find'], { order: 'any' }),
      args: withUnseen({ programs: 1 }, 'find'),
      passed: true,
      value: 1,
    },
    { grader: tools([]), args: withoutTexts({ usage: { input: 1 } }) },
    { grader: tools([]), args: withoutTexts({ messages: [] }), passed: true },
    { grader: tools([]), args: withoutTexts({ operation: 'embeddings' }), passed: true },
    // The first call would do for both, so the one that only it fits must get it.
    {
      grader: tools(['a', { name: 'a', args: { n: 1 } }], { order: 'any' }),
      args: calls(['a', { n: 1 }], ['a', { n: 2 }]),
      passed: true,
      value: 1,
    },
  ],
  combinations: [
    { grader: all(contains('a'), contains('b')), args: of('ab'), passed: true },
    {
      grader: all(contains('a'), contains('b'), words({ max: 0 })),
      args: of('a'),
      passed: false,
      notes: 'contains: lacks "b"; words: wanted at most 0',
    },
    { grader: all(contains('a'), latency({ max: 1 })), args: { output: 'a', latency: null } },
    {
      grader: all(contains('b'), latency({ max: 1 })),
      args: { output: 'a', latency: null },
      passed: false,
      notes: 'contains: lacks "b"',
    },
    { grader: any(contains('a'), contains('b')), args: of('b'), passed: true },
    {
      grader: any(contains('a'), equals('x')),
      args: of('b'),
      passed: false,
      notes: 'contains: lacks "a"; equals: wanted "x", got "b"',
    },
    { grader: any(contains('b'), latency({ max: 1 })), args: { output: 'a', latency: null } },
    { grader: not(contains('a')), args: of('a'), passed: false, notes: 'contains passes' },
    { grader: not(contains('a')), args: of('b'), passed: true },
    { grader: not(latency({ max: 1 })), args: { latency: null } },
    { grader: any(contains('a'), failing), args: of('a'), passed: true },
    {
      grader: all(contains('b'), failing),
      args: of('a'),
      passed: false,
      notes: 'contains: lacks "b"',
    },
    { grader: all(compared(1)), args: of('a'), passed: true },
    { grader: any(compared(0)), args: of('a'), passed: false },
    { grader: not(compared(0)), args: of('a'), passed: true },
    { grader: any(compared(0.5)), args: of('a') },
    { grader: not(compared(0.5)), args: of('a') },
    { grader: weighted({ better: [compared(0.5), 1] }), args: of('a'), value: 0.5 },
    {
      grader: all(
        () => true,
        async () => ({ score: true, name: 'b' }),
      ),
      args: of(1),
      passed: true,
    },
    {
      grader: weighted({ right: [equals('a'), 3], short: [words({ max: 0 }), 1] }, { min: 0.7 }),
      args: of('a'),
      passed: true,
      value: 0.75,
      notes: 'right 1, short 0',
    },
    {
      grader: weighted({ near: [() => 0.5, 1], right: [equals('a'), 1] }, { min: 0.7 }),
      args: of('b'),
      passed: false,
      value: 0.25,
      notes: 'near 0.5, right 0',
    },
    {
      grader: weighted({ a: [() => 0.7, 1], b: [() => 0.7, 2], c: [() => 0.7, 4] }, { min: 0.7 }),
      args: of('a'),
      passed: true,
      value: 0.7,
      notes: 'a 0.7, b 0.7, c 0.7',
    },
    {
      grader: weighted({ a: [() => 1, 5], b: [() => 0, 1] }, { min: 5 / 6 }),
      args: of('a'),
      passed: true,
      value: 5 / 6,
      notes: 'a 1, b 0',
    },
    { grader: weighted({ quick: [latency({ max: 1 }), 1] }), args: { latency: null } },
  ],
};

describe('graders', () => {
  // A server in the same process has messages of its own.
  const { customError } = z.config();
  before(() => z.config({ customError: undefined }));
  after(() => z.config({ customError }));

  for (const [title, rows] of Object.entries(tables)) {
    describe(title, () => {
      for (const [at, { grader, args, ...wanted }] of rows.entries()) {
        it(`grades case ${at + 1}, of ${grader.name}`, async () => {
          const score = await scoreOf(grader, args);
          if (wanted.passed === undefined && wanted.value === undefined) {
            expect(score).to.equal(undefined);
            return;
          }
          expect(score?.passed).to.equal(wanted.passed);
          if (wanted.value !== undefined) expect(score?.value).to.be.closeTo(wanted.value, 1e-12);
          if (wanted.notes !== undefined) expect(score?.notes).to.equal(wanted.notes);
          if (wanted.passed && !grader.name.startsWith('weighted')) {
            expect(score).to.not.have.property('notes');
          }
        });
      }
    });
  }

  // biome-ignore-start lint/suspicious/noExplicitAny: as a project without types may write them
  const wrongly: readonly (readonly [make: () => unknown, message: string])[] = [
    [() => excludes(['password'] as any), 'what excludes takes must be text, not an array'],
    [() => contains('a', { ignorecase: true } as any), 'contains has no option "ignorecase", only'],
    [() => contains(/a/ as any), 'what contains takes must be text, not an instance of RegExp'],
    [() => excludes('a', new Map() as any), 'what excludes takes must be text, not an instance'],
    [() => equals('a', new Date() as any), 'the options of equals must be an object, not an inst'],
    [() => contains({ ignoreCase: true } as any, 'a' as any), 'what contains takes must be text'],
    [() => startsWith(5 as any), 'what startsWith takes must be text, not 5'],
    [() => matches('x' as any), 'what matches takes must be a regular expression, not "x"'],
    [() => similar('a', { min: 80 }), '"min" of similar must be from 0 to 1, not 80'],
    [() => similar('a', { min: Number.NaN }), '"min" of similar must be from 0 to 1, not NaN'],
    [() => similar({ min: 0.9 } as any), 'what similar takes must be text, not an object'],
    [() => equals(1, 'x' as any), 'the options of equals must be an object, not "x"'],
    [() => equals(1, { key: '' }), '"key" of equals must be 1 to 200 characters, not ""'],
    [() => deepEquals(1, { ignore: [''] }), '"ignore" of deepEquals must be a list of paths'],
    [() => deepEquals(1, { ignore: 'a' as any }), '"ignore" of deepEquals must be a list of'],
    [() => deepEquals(1, { tolerance: Number.NaN }), '"tolerance" of deepEquals must be 0 or more'],
    [() => oneOf('abc' as any), 'what oneOf takes must be a list of values, not "abc"'],
    [() => oneOf([]), 'what oneOf takes must be a list of values, not an empty array'],
    [() => (closeTo as any)(5), 'the options of closeTo must be an object, not undefined'],
    [() => closeTo(5, {} as any), '"within" of closeTo must be 0 or more, not undefined'],
    [() => closeTo('5' as any, { within: 1 }), 'what closeTo takes must be a number, not "5"'],
    [() => between('1' as any, '9' as any), 'between needs two numbers, the smaller one first'],
    [() => (words as any)(), 'the options of words must be an object, not undefined'],
    [() => words({ max: '20' as any }), '"max" of words must be a number, not "20"'],
    [() => words({ min: 5, max: 2 }), '"min" of words must not be above "max"'],
    [() => (schema as any)('x'), 'what schema takes must be a schema'],
    [() => tools('ab' as any), 'what tools takes must be a list of names, or of { name, args }'],
    [() => tools([{ name: 'a' } as any]), 'what tools takes must be a list of names'],
    [
      () => tools([{ name: 'a', args: {}, order: 'any' } as any]),
      'what tools takes must be a list',
    ],
    [() => tools(['a'], { order: 'exakt' as any }), '"order" of tools must be "exact" or "subset"'],
    [() => tools(['a'], { args: 'strict' as any }), '"args" of tools must be "subset" or "exact"'],
    [() => (all as any)(), 'all needs a grader'],
    [() => any({ key: 'k' } as any), 'any needs a grader'],
    [() => all([equals(1)] as any), 'what all takes must be a grader, not an array'],
    [() => (not as any)(), 'what not takes must be a grader, not undefined'],
    [() => weighted({} as any), 'what weighted takes must be an object of parts'],
    [() => weighted({ a: equals(1) } as any), 'what weighted takes must be an object of parts'],
    [() => weighted([[equals(1), 1]] as any), 'what weighted takes must be an object of parts'],
    [() => weighted({ a: [equals(1), 1, 2] as any }), 'what weighted takes must be an object of'],
    [() => weighted({ a: [1 as any, 1] }), 'the part a of weighted must be a grader, not 1'],
    [() => weighted({ a: [equals(1), 1] }, { min: 80 }), '"min" of weighted must be from 0 to 1'],
  ] as const;
  // biome-ignore-end lint/suspicious/noExplicitAny: the end of them
  const impossible: readonly (readonly [what: string, grader: () => unknown, message: string])[] = [
    [
      'text that is a number',
      () => scoreOf(excludes('x'), of(5)),
      'excludes grades text, but the output is 5',
    ],
    [
      'a reference that is no text',
      () => scoreOf(contains(), of('a', 5)),
      'contains grades text, but the reference is 5',
    ],
    [
      'nothing to compare with',
      () => scoreOf(equals(), of('a')),
      'equals has nothing to compare with: give it a value, or its case a reference',
    ],
    [
      'a number that is text',
      () => scoreOf(between(1, 2), of('1')),
      'between grades finite numbers, but the output is "1"',
    ],
    [
      'a path that is not there',
      () => scoreOf(closeTo(1, { within: 1, path: 'a.b' }), of({})),
      'closeTo grades finite numbers, but a.b of the output is undefined',
    ],
    [
      'bounds in the wrong order',
      () => between(2, 1),
      'between needs two numbers, the smaller one first, not 2 and 1',
    ],
    [
      'a distance below 0',
      () => closeTo(1, { within: -1 }),
      '"within" of closeTo must be 0 or more, not -1',
    ],
    [
      'a language that it cannot tell',
      () => language('xx' as 'de'),
      'language can tell ar, de, el, en,',
    ],
    [
      'a keyword that is none',
      () => scoreOf(schema({ type: 'object', requred: ['a'] }), of({})),
      'schema cannot use this JSON Schema: unknown keyword: "requred"',
    ],
    [
      'a keyword of a newer draft',
      () => scoreOf(schema({ ...draft('draft-07'), dependentRequired: {} }), of({})),
      'unknown keyword: "dependentRequired"',
    ],
    [
      'a format that is none',
      () => scoreOf(schema({ type: 'string', format: 'emial' }), of('a')),
      'unknown format "emial" in schema at path "#" (formats come with: npm install',
    ],
    [
      'another draft',
      () => scoreOf(schema({ $schema: 'http://json-schema.org/draft-04/schema#' }), of('a')),
      'schema knows JSON Schema draft-07, 2019-09 and 2020-12, not "$schema": "http:',
    ],
    ['a promise of a verdict', () => schema({ $async: true }), 'schema cannot use "$async"'],
    ...[
      [Promise.resolve('a'), Promise.resolve('b'), 'is a promise: is an await missing?'],
      [new URLSearchParams('a=1'), new URLSearchParams('a=2'), 'is an instance of URLSearchParams'],
      [new Set([new Answer('a')]), new Set([new Answer('b')]), 'contains an instance of Answer'],
    ].map(
      ([output, reference, why]) =>
        [
          `equality where the output ${why}`,
          () => scoreOf(equals(), of(output, reference)),
          `cannot compare the output, which ${why}`,
        ] as const,
    ),
    [
      'no schema of JSON',
      () => schema(new Date() as never),
      'JSON Schema, not an instance of Date',
    ],
    ['a schema that all fits', () => schema({}), 'what schema takes must be a schema: of zod,'],
    ['no schema', () => schema('x' as never), 'what schema takes must be a schema: of zod,'],
    ['no bound', () => words({} as never), 'words needs "min" or "max"'],
    [
      'a bound that is none',
      () => latency({ max: Number.NaN }),
      '"max" of latency must be a number, not NaN',
    ],
    [
      'a value without a verdict',
      () =>
        scoreOf(
          all(() => 0.5),
          of(1),
        ),
      'all needs verdicts, but the score',
    ],
    [
      'several scores',
      () => scoreOf(not(two), of(1)),
      'not needs graders with one score, but two gave "a", "b"',
    ],
    [
      'several scores of which one passes',
      () => scoreOf(any(two), of(1)),
      'any needs graders with one',
    ],
    [
      'an error where nothing is decided',
      () => scoreOf(any(equals(2), failing), of(1)),
      'no connection',
    ],
    [
      'an error before the decision',
      () => scoreOf(all(failing, equals(2)), of(1)),
      'no connection',
    ],
    ...[contains(), containsAny(), excludes(), startsWith()].map(
      (grader) =>
        [
          `an empty reference of ${grader.name}`,
          () => scoreOf(grader, of('a', '')),
          `${grader.name} has nothing to look for, but an empty text`,
        ] as const,
    ),
    [
      'an empty list',
      () => scoreOf(excludes(), of('a', [])),
      'excludes has nothing to look for, but an empty list',
    ],
    ['an empty text', () => contains('a', ''), 'contains has nothing to look for'],
    ...wrongly.map(([make, message]) => [`what says: ${message}`, make, message] as const),
    ['no grader', () => scoreOf(any(...([] as Evaluator[])), of(1)), 'any needs a grader'],
    [
      'a weight of 0',
      () => weighted({ a: [equals(1), 0] }),
      'the weight of a must be above 0, not 0',
    ],
    [
      'a value that is no share',
      () => scoreOf(weighted({ a: [() => 5, 1] }), of(1)),
      'the value of a must be from 0 to 1, not 5',
    ],
    [
      'a value of which less is better',
      () => scoreOf(weighted({ a: [() => ({ value: 0.9, better: 'lower' as const }), 1] }), of(1)),
      'a needs a verdict: of its value alone, lower is better',
    ],
  ];
  for (const [what, grade, message] of impossible) {
    it(`refuses ${what}`, async () => {
      let error: unknown;
      try {
        await grade();
      } catch (caught) {
        error = caught;
      }
      expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes(message);
    });
  }

  // Where they do not, docs/graders.md says why.
  const autoevals: readonly [scorer: AnyGrader, grader: AnyGrader, args: Partial<EvaluatorArgs>][] =
    [
      [ExactMatch, equals(), of('a', 'a')],
      [ExactMatch, equals(), of('a', 'b')],
      [ExactMatch, equals(), of({ a: [1] }, { a: [1] })],
      [ExactMatch, equals(), of(null, 'a')],
      [Levenshtein, similar(), of('kitten', 'sitting')],
      [Levenshtein, similar(), of('', '')],
      [Levenshtein, similar(), of('abc', '')],
      [Levenshtein, similar(), of('größe', 'Größe 👋')],
      [ValidJSON, isJson(), of('{"a": [1]}')],
      [ValidJSON, isJson(), of('{a: 1}')],
    ];
  for (const [at, [scorer, grader, args]] of autoevals.entries()) {
    it(`agrees with ${scorer.name} of autoevals in case ${at + 1}`, async () => {
      const own = await scoreOf(grader, args);
      const theirs = await scorer({ ...args, expected: args.reference } as EvaluatorArgs);
      const { score } = theirs as { readonly score: number };
      expect(own?.value ?? Number(own?.passed)).to.be.closeTo(score, 1e-12);
    });
  }

  it('names scores after graders, or by their key', () => {
    const graders = [contains('a'), contains('b'), equals(1, { key: 'exact' }), not(isJson())];
    const more = [all(isJson(), { key: 'ok' }), contains('c', { key: 'c' })];
    expect(evaluatorNames([...graders, ...more])).to.deep.equal([
      ...['contains', 'contains_2', 'exact', 'not_isJson', 'ok', 'c'],
    ]);
  });

  it('says that lower is better of what has only a most', async () => {
    expect(await scoreOf(words({ max: 5 }), of('a'))).to.include({ better: 'lower' });
    expect(await scoreOf(words({ min: 1, max: 5 }), of('a'))).to.not.have.property('better');
  });
});
