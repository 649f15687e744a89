import { isObject } from '../../../../model/json.js';

/** An assertion of promptfoo, as its configuration has it. */
export interface Assertion {
  readonly type: string;
  readonly value?: unknown;
  readonly threshold?: unknown;
  readonly weight?: unknown;
  readonly metric?: unknown;
  readonly [field: string]: unknown;
}

export function isAssertion(value: unknown): value is Assertion {
  return isObject(value) && typeof value.type === 'string';
}

const withComma = /^(not-)?i?contains-(all|any)$/;
const withThreshold =
  /^(not-)?(answer-relevance|classifier|context-[a-z]+|cost|latency|levenshtein|perplexity(-score)?|rouge-n|similar|starts-with)$/;
/** Types that the cell of a table may begin with, for what decides here; others are text for promptfoo, too, or no types at all. */
const typed = /^((?:not-)?[a-z][a-z0-9:-]*?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/;

/** The assertion in a cell of the column `__expected`. */
export function readCell(cell: string): Assertion {
  const text = cell.trim();
  const script = /^(?:javascript|fn|eval):([\s\S]*)$/.exec(text);
  if (script !== null) return { type: 'javascript', value: script[1]?.trim() };
  const rubric = /^(?:grade|llm-rubric):([\s\S]*)$/.exec(text);
  if (rubric !== null) return { type: 'llm-rubric', value: rubric[1] };
  if (text.startsWith('python:')) return { type: 'python', value: text.slice(7).trim() };
  if (/^file:\/\/.*\.[cm]?[jt]s(:\w+)?$/.test(text)) return { type: 'javascript', value: text };
  if (/^file:\/\/.*\.py(:\w+)?$/.test(text)) return { type: 'python', value: text };
  const [, type = '', threshold, value] = typed.exec(text) ?? [];
  if (!knownTypes.has(type.replace(/^not-/, ''))) return { type: 'equals', value: text };
  if (withComma.test(type)) return { type, value: value && commaValues(value) };
  if (/^(not-)?(contains|is)-json$/.test(type)) return { type, value };
  return {
    ...{ type, value: value?.trim() },
    ...(withThreshold.test(type) && {
      threshold: Number(threshold ?? (type.endsWith('similar') ? 0.8 : 0.75)),
    }),
  };
}

/** The values of a list such as `a, "b, c"`; `undefined` where a quote has no end. */
export function commaValues(text: string): string[] | undefined {
  const values: string[] = [];
  for (let rest = text; ; ) {
    rest = rest.replace(/^[\s,]+/, '');
    if (rest === '') return values;
    const quoted = /^"((?:\\["\\]|""|[^"])*)"\s*(?=,|$)/.exec(rest);
    if (rest.startsWith('"') && quoted === null) return undefined;
    const [all = ''] = quoted ?? /^[^,]+/.exec(rest) ?? [];
    values.push(
      quoted === null ? all.trim() : (quoted[1] ?? '').replace(/\\(["\\])|"(")/g, '$1$2'),
    );
    rest = rest.slice(all.length);
  }
}

/** Assertion types of promptfoo 0.123, without `not-`. */
const knownTypes = new Set(
  `agent-rubric answer-relevance bleu classifier contains contains-all contains-any contains-html contains-json contains-sql
contains-xml context-faithfulness context-recall context-relevance conversation-relevance cost equals factuality
finish-reason g-eval gleu guardrails icontains icontains-all icontains-any is-html is-json is-refusal is-sql
is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml javascript latency levenshtein
llm-rubric meteor model-graded-closedqa model-graded-factuality moderation perplexity perplexity-score pi python regex
rouge-n ruby search-rubric similar similar:cosine similar:dot similar:euclidean skill-used starts-with tool-call-f1
trace-error-spans trace-span-count trace-span-duration trajectory:goal-success trajectory:step-count
trajectory:tool-args-match trajectory:tool-sequence trajectory:tool-used webhook word-count`.split(
    /\s+/,
  ),
);
