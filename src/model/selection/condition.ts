import { AssayError } from '../../errors.js';
import { nearNames } from '../../text/near-names.js';
import { tokensOf } from '../calls/known-usage.js';
import { fieldsOf, readParts } from '../calls/message-parts.js';
import type { Call, ModelExchange } from '../calls/model-call.js';
import { runUsageOf } from '../calls/run-usage.js';
import { isConversation } from '../conversation.js';
import { fileOf, type Json, type Result, type RowFacts } from '../result.js';
import {
  fieldStarts,
  parseResultField,
  type ResultField,
  resultFieldForms,
  valueOfField,
} from '../result-field.js';
import { standingOf } from '../scores/verdict.js';

type Value = Json | undefined;

/** What a fact of a result is called in conditions, and its values. */
const facts = {
  id: (row) => [row.id],
  evaluation: (row) => [row.evaluation],
  file: (row) => [fileOf(row)],
  dataset: (row) => [row.dataset],
  label: (row) => row.labels,
  status: (row) => [...new Set([row.status, standingOf(row)])],
  latency: (row) => [row.latency],
  cost: (row) => [runUsageOf(row)?.cost ?? null],
  calls: (row) => [runUsageOf(row)?.calls ?? null],
  tokens: (row) => [tokensIn(row)],
} as const satisfies Record<string, (row: RowFacts) => readonly Value[]>;

type Fact = keyof typeof facts;

/** What the calls of a result, and the messages that it gives, tell of it. */
const factsOfCalls = { tool: toolsOf, model: modelsOf } as const;

export type CallFact = keyof typeof factsOfCalls;

/** Facts that are known before anything runs. */
const plannedFacts: readonly Fact[] = ['id', 'evaluation', 'file', 'dataset', 'label'];

/** What a condition is about: a fact of a result or of its calls, a value in it, or one of its scores. */
export type ConditionField = Fact | CallFact | ResultField | { readonly score: string };

const operators = ['!=', '!~', '>=', '<=', '=', '~', '>', '<'] as const;
type Operator = (typeof operators)[number];

/** `FIELD OPERATOR VALUE` about a result. */
export interface Condition {
  /** As it was given. */
  readonly text: string;
  readonly field: ConditionField;
  readonly operator: Operator;
  readonly value: string;
}

/** The fields of conditions, for errors and help. */
export const conditionFields = `${Object.keys({ ...facts, ...factsOfCalls }).join(', ')}, ${resultFieldForms}, score.KEY`;

/** The forms of {@link parseCondition}, for errors and help. */
export const conditionForm =
  'FIELD=VALUE, with !=, >=, <=, >, < for numbers, ~ and !~ for regular expressions';

/**
 * Reads a condition: `metadata.tier=pro`, `latency>=2`, `input.question~refund`, `score.tone<.5`; no value means none
 * (`metadata.tier=`). The first operator after a field ends the field. Error: `usage` with what it should be.
 */
export function parseCondition(text: string): Condition {
  for (const { index, 0: found } of text.matchAll(/!=|!~|>=|<=|[=~<>]/g)) {
    const field = parseField(text.slice(0, index).trim());
    if (field === undefined) continue;
    const operator = found as Operator;
    const value = text.slice(index + operator.length).trim();
    checkValue(text, operator, value);
    return { text, field, operator, value };
  }
  const [name = text] = text.split(/[=~<>!]/, 1);
  const near = fieldHint(name.trim(), text);
  throw new AssayError(
    'usage',
    `${JSON.stringify(text)} is not a condition: ${reasonOf(name.trim(), text)}`,
    {
      hints: [
        ...(near === undefined ? [] : [near]),
        `A condition is ${conditionForm}.`,
        `Fields: ${conditionFields}.`,
      ],
    },
  );
}

/** True for the name of a field. */
export function isField(name: string): boolean {
  return parseField(name) !== undefined;
}

/** The condition that was meant, if the name of its field resembles a field: `Did you mean status=failed?` */
export function fieldHint(name: string, text: string): string | undefined {
  const [start = ''] = /^[^.[]*/.exec(name) ?? [];
  const rest = text.slice(start.length);
  const names = fieldStarts.includes(start) ? [start] : nearNames(start, fieldStarts);
  const near = names.find((one) => isField(one + name.slice(start.length)));
  return near === undefined ? undefined : `Did you mean ${near}${rest}?`;
}

function reasonOf(name: string, text: string): string {
  return parseField(name) === undefined
    ? `${JSON.stringify(name)} is no field.`
    : `no operator follows ${text}.`;
}

function parseField(text: string): ConditionField | undefined {
  if (Object.hasOwn(facts, text)) return text as Fact;
  if (isCallFact(text)) return text;
  const [, plain, quoted] = /^score(?:\.(.+)|\[("(?:[^"\\]|\\.)*")\])$/s.exec(text) ?? [];
  if (plain !== undefined) return { score: plain };
  if (quoted !== undefined) return { score: JSON.parse(quoted) as string };
  return parseResultField(text);
}

function checkValue(text: string, operator: Operator, value: string): void {
  if (operator === '~' || operator === '!~') patternOf(value, text);
  else if (/[<>]/.test(operator) && numberOf(value) === undefined) {
    throw new AssayError(
      'usage',
      `${JSON.stringify(text)} compares with ${JSON.stringify(value)}, which is no number.`,
    );
  }
}

/** The regular expression of `PATTERN` or `/PATTERN/flags`. Error: `usage` for one that is none. */
export function patternOf(value: string, text = value): RegExp {
  const [, inner, flags] = /^\/(.+)\/([imsuv]*)$/s.exec(value) ?? [];
  try {
    return new RegExp(inner ?? value, flags);
  } catch (error) {
    throw new AssayError('usage', `${JSON.stringify(text)}: ${(error as Error).message}.`);
  }
}

/** True for what was there before anything ran. Results may set metadata. */
export function isPlannedField(field: ConditionField): boolean {
  if (typeof field === 'string') return (plannedFacts as readonly string[]).includes(field);
  return 'of' in field && field.of !== 'output';
}

/** The values in a result that conditions look at, and its calls, where conditions ask for what they tell. */
type Values = Parameters<typeof valueOfField>[0] & Traced;

/** What tells of the tools and models that a result called. */
type Traced = Partial<Pick<Result, 'output' | 'trace_data' | 'spans'>> & {
  readonly calls?: readonly CalledModel[] | undefined;
};

/** What a call, also a stored one, tells of models and tools. */
interface CalledModel extends Pick<Call, 'role' | 'unknown_model_call'> {
  readonly model_call?: Pick<ModelExchange, 'model' | 'response_model' | 'tool_calls'>;
}

/** A test of results by a condition; `values` are asked for only if its field is a value in them. */
export function testOf(condition: Condition): (row: RowFacts, values: () => Values) => boolean {
  const meets = testOfValues(condition);
  return (row, values) => meets(valuesOf(condition.field, row, values));
}

/** A test of the values that a result has of the field of a condition. */
export function testOfValues({
  operator,
  value,
}: Condition): (values: readonly Value[]) => boolean {
  const isNegative = operator.startsWith('!');
  const meets = meeting(operator, value);
  return (values) => orNone(values).some(meets) !== isNegative;
}

/** True for a field that the calls of a result tell. */
export function isCallFact(field: unknown): field is CallFact {
  return typeof field === 'string' && Object.hasOwn(factsOfCalls, field);
}

/** True for a field that is a value in results. */
export function isResultField(field: ConditionField): field is ResultField {
  return typeof field === 'object' && 'of' in field;
}

function valuesOf(field: ConditionField, row: RowFacts, values: () => Values): readonly Value[] {
  if (isCallFact(field)) return factsOfCalls[field](values());
  if (typeof field === 'string') return facts[field](row);
  if ('score' in field) return scoreValues(row, field.score);
  const value = valueOfField(values(), field);
  // Any item of a list will do, such as a tag.
  return Array.isArray(value) ? [value, ...(value as Json[])] : [value];
}

function orNone(values: readonly Value[]): readonly Value[] {
  return values.length === 0 ? [undefined] : values;
}

function scoreValues({ scores }: RowFacts, key: string): Value[] {
  return scores
    .filter((score) => score.key === key)
    .flatMap(({ passed, value }) => [
      ...(passed === undefined ? [] : [passed ? 'passed' : 'failed']),
      ...(value === undefined ? [] : [value]),
    ]);
}

/** The tools that the target and the body called, by their names. */
export function toolsOf({ output = null, trace_data, calls = [], spans = [] }: Traced): string[] {
  const { messages } = trace_data ?? {};
  const given = [messages, isConversation(output) ? output : undefined].flatMap((list) =>
    Array.isArray(list) ? (list as Json[]) : [],
  );
  const parts = given.flatMap((message) => readParts(fieldsOf(message) ?? {}));
  const names = [
    ...calls.filter(isOfApp).flatMap(({ model_call }) => model_call?.tool_calls ?? []),
    ...spans.filter((span) => span.kind === 'tool' && isOfApp(span)),
    ...parts.filter((part) => part.kind === 'call'),
  ];
  return [...new Set(names.map(({ name }) => name))];
}

function isOfApp({ role }: { readonly role: string }): boolean {
  return !role.startsWith('evaluator:');
}

/** The models that were called, as they were asked for and as they answered. */
export function modelsOf({ calls = [] }: Traced): string[] {
  const names = calls.flatMap(({ model_call, unknown_model_call: unknown }) => [
    model_call?.model,
    model_call?.response_model,
    unknown?.model,
  ]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

function tokensIn(row: RowFacts): number | null {
  const usage = runUsageOf(row);
  return (usage && tokensOf(usage)) ?? null;
}

/** A test of one value, by the operator without its negation. */
function meeting(operator: Operator, wanted: string): (value: Value) => boolean {
  if (operator === '~' || operator === '!~') {
    const pattern = patternOf(wanted);
    return (value) => value !== undefined && value !== null && pattern.test(textOf(value));
  }
  const number = numberOf(wanted);
  if (operator === '=' || operator === '!=') {
    return (value) =>
      value === undefined || value === null
        ? wanted === ''
        : typeof value === 'number' && number !== undefined
          ? value === number
          : textOf(value) === wanted;
  }
  const limit = number ?? Number.NaN;
  return (value) => {
    const own = typeof value === 'number' ? value : numberOf(value);
    if (own === undefined) return false;
    if (operator === '>=') return own >= limit;
    if (operator === '<=') return own <= limit;
    return operator === '>' ? own > limit : own < limit;
  };
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function numberOf(value: Value): number | undefined {
  if (typeof value !== 'string' || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) {
    return undefined;
  }
  return Number(value);
}
