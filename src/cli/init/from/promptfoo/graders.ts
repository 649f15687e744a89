import { isObject } from '../../../../model/json.js';
import { type Code, call, commentLines, list, literal, object, property, quoted } from '../code.js';
import { fillTemplate, hasTemplate, isSimpleTemplate } from '../template.js';
import { type Assertion, commaValues } from './assertion.js';
import type { HelperName } from './helpers.js';
import { type Check, readCheck } from './javascript.js';
import { parseYaml } from './read-config.js';

/** An evaluator in the place of an assertion. */
export interface Grader {
  readonly code: Code;
  /** What it uses of `assay/graders`. */
  readonly imports: readonly string[];
  readonly helpers: readonly HelperName[];
  /** A line above it: where it decides otherwise than promptfoo. */
  readonly note?: string;
  /** The evaluator without its value, and the value: the reference of a case can take its place. */
  readonly byReference?: { readonly code: Code; readonly value: unknown };
  /** True where promptfoo's score is 1 or 0 and no number in between. */
  readonly isVerdict: boolean;
}

/** What an assertion can be translated with. */
export interface GraderContext {
  readonly vars: Readonly<Record<string, unknown>>;
  /** True if there is a model that can judge. */
  readonly hasJudge: boolean;
  /** Puts a check of several statements into a function of its own, and returns the name of it. */
  readonly nameOf: (check: Check) => string;
}

type Made = Omit<Grader, 'isVerdict'> & { readonly isVerdict?: boolean };
type Options = Readonly<Record<string, unknown>>;

/** The evaluator for an assertion, or why there is none. */
export function graderOf(
  assertion: Assertion,
  { vars, ...context }: GraderContext,
): Grader | string {
  const strange = Object.keys(assertion).find((field) => !knownFields.has(field));
  if (strange !== undefined) return `its ${strange} has no translation`;
  const value = rendered(assertion.value, vars);
  if (value === untranslatable) return 'its template has more than names';
  const metric = rendered(assertion.metric, vars);
  const key = typeof metric === 'string' && metric !== '' ? metric.slice(0, 200) : undefined;
  const isInverse = assertion.type.startsWith('not-');
  const type = isInverse ? assertion.type.slice(4) : assertion.type;
  const maker = Object.hasOwn(makers, type) ? makers[type] : undefined;
  if (maker === undefined) return `assay has no grader like ${type}`;
  const { threshold } = assertion;
  if (!(threshold === undefined || threshold === null || typeof threshold === 'number')) {
    return 'its threshold is no number';
  }
  const limit = threshold ?? undefined;
  const made = maker({
    ...context,
    value,
    threshold: limit,
    isInverse,
    key: isInverse ? undefined : key,
  });
  if (typeof made === 'string') return made;
  const grader: Grader = { isVerdict: true, ...made };
  return isInverse ? inverted(grader, type, value, key) : grader;
}

const knownFields = new Set(['type', 'value', 'threshold', 'weight', 'metric']);
const untranslatable = Symbol('untranslatable');

/** A value with those of the case in its templates: promptfoo looks for them in texts and in lists of texts. */
function rendered(value: unknown, vars: GraderContext['vars']): unknown {
  if (typeof value === 'string') {
    if (!hasTemplate(value)) return value;
    return isSimpleTemplate(value) ? fillTemplate(value, vars) : untranslatable;
  }
  if (!Array.isArray(value)) return value;
  const items = value.map((one) => (typeof one === 'string' ? rendered(one, vars) : one));
  return items.includes(untranslatable) ? untranslatable : items;
}

interface Given extends Omit<GraderContext, 'vars'> {
  readonly value: unknown;
  readonly threshold: number | undefined;
  readonly isInverse: boolean;
  readonly key: string | undefined;
}

/** Makers of evaluators by the type of the assertion; a text says why there is none. */
const makers: Readonly<Record<string, (given: Given) => Made | string>> = {
  equals: ({ value, key }) => {
    if (value === undefined || isFile(value)) return 'its value is not here';
    const isText = typeof value !== 'object';
    const wanted = isText ? String(value) : value;
    const made = valued('equals', literal(wanted), { key }, wanted);
    return isText ? made : inJson(made);
  },
  contains: (given) => text('contains', given, {}),
  icontains: (given) => text('contains', given, { ignoreCase: true }),
  'contains-all': (given) => texts('contains', given, {}),
  'icontains-all': (given) => texts('contains', given, { ignoreCase: true }),
  'contains-any': (given) => texts('containsAny', given, {}),
  'icontains-any': (given) => texts('containsAny', given, { ignoreCase: true }),
  'starts-with': ({ value, key }) =>
    typeof value === 'string' && value !== '' && !isFile(value)
      ? valued('startsWith', literal(value), { key }, value)
      : 'its value is no text',
  regex: ({ value, key }) => {
    if (typeof value !== 'string' || value === '' || isFile(value)) return 'its value is no text';
    const expression = expressionOf(value);
    if (expression === undefined) return 'it is no regular expression of JavaScript';
    return {
      code: call('matches', [expression, ...optionsOf({ key })]),
      imports: ['matches'],
      helpers: [],
    };
  },
  'is-json': ({ value, key }) => {
    if (!value)
      return { code: call('isJson', optionsOf({ key })), imports: ['isJson'], helpers: [] };
    const wanted = schemaOf(value);
    if (typeof wanted === 'string') return wanted;
    const code = call('schema', [literal(wanted), ...optionsOf({ key })]);
    return inJson({ code, imports: ['schema'], helpers: [] });
  },
  'contains-json': ({ value, isInverse, key }) => {
    if (value) return 'assay has no grader that looks for JSON with a schema';
    if (isInverse) return 'promptfoo takes more for JSON than JSON is';
    if (key !== undefined) return 'its metric has no translation';
    const note = 'Stricter than promptfoo, which also takes YAML in braces for JSON.';
    return { code: 'containsJson', imports: [], helpers: ['containsJson'], note };
  },
  javascript: ({ value, threshold, key, nameOf }) => {
    if (typeof value !== 'string') return 'its value is no text';
    if (isFile(value)) return 'its function is in another file';
    const check = readCheck(value);
    if (typeof check === 'string') return check;
    const name = key ?? 'javascript';
    const options = optionsOf({ threshold, key: name === 'javascript' ? undefined : name });
    const base = { imports: [], helpers: ['javascript'], isVerdict: false } as const;
    if (check.kind === 'statements')
      return { ...base, code: call('javascript', [nameOf(check), ...options]) };
    const parameters = check.readsVars ? '(output, context)' : '(output)';
    return { ...base, code: call('javascript', [`${parameters} => ${check.code}`, ...options]) };
  },
  'llm-rubric': ({ value, threshold, hasJudge, key }) => {
    if (!hasJudge) return 'there is no model here that can judge';
    if (threshold !== undefined) return 'its threshold is one of a score from 0 to 1';
    if (typeof value !== 'string' || value === '' || isFile(value)) return 'its value is no text';
    const options = key === undefined ? 'judge' : `{ ...judge, key: ${quoted(key)} }`;
    const note =
      'Another prompt than that of promptfoo: look at its verdicts before you rely on them.';
    return {
      code: call('rubric', [literal(value), options]),
      imports: ['rubric'],
      helpers: ['judge'],
      note,
      isVerdict: false,
    };
  },
  levenshtein: ({ value, threshold, key }) => {
    if (typeof value !== 'string') return 'its value is no text';
    const code = call('levenshtein', [literal(value), ...optionsOf({ max: threshold, key })]);
    return { code, imports: [], helpers: ['levenshtein'] };
  },
  latency: ({ threshold, key }) => {
    if (threshold === undefined) return 'it has no threshold';
    return limit('latency', { max: threshold / 1000, key }, 'Seconds that the target takes.');
  },
  cost: ({ threshold, key }) => {
    if (threshold === undefined) return 'it has no threshold';
    return limit(
      'cost',
      { max: threshold, key },
      'No score where the price is not known: an error in promptfoo.',
    );
  },
  'word-count': ({ value, key }) => {
    const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof count === 'number' && !Number.isNaN(count))
      return limit('words', { min: count, max: count, key });
    if (!isObject(count)) return 'its value is no number';
    const { min, max, ...others } = count;
    const isBound = (bound: unknown) => bound === undefined || typeof bound === 'number';
    if (
      !isBound(min) ||
      !isBound(max) ||
      (min ?? max) === undefined ||
      Object.keys(others).length > 0
    ) {
      return 'its value has no numbers min and max';
    }
    return limit('words', { min, max, key });
  },
  'is-refusal': ({ key }) => ({
    ...{ code: call('refuses', optionsOf({ key })), imports: ['refuses'], helpers: [] },
    note: 'Other words than those of promptfoo make a refusal here, and an empty output is none.',
  }),
};

function limit(name: string, options: Options, note?: string): Made {
  const code = call(name, optionsOf(options));
  return { code, imports: [name], helpers: [], ...(note !== undefined && { note }) };
}

function text(
  name: string,
  { value, key }: Pick<Given, 'value' | 'key'>,
  options: Options,
): Made | string {
  const isValue = (typeof value === 'string' && value !== '') || typeof value === 'number';
  if (!isValue || isFile(value)) return 'its value is no text';
  return valued(name, literal(String(value)), { ...options, key }, String(value));
}

function texts(
  name: string,
  { value, key }: Pick<Given, 'value' | 'key'>,
  options: Options,
): Made | string {
  const values = typeof value === 'string' && !isFile(value) ? commaValues(value) : value;
  if (!Array.isArray(values) || values.length === 0) return 'its value is no list of texts';
  if (values.some((one) => isFile(one) || (typeof one === 'object' && one !== null)))
    return 'its list has more than texts';
  const all = values.map(String);
  const code = call(name, [...all.map(literal), ...optionsOf({ ...options, key })]);
  const byReference = { code: call(name, optionsOf({ ...options, key })), value: all };
  return { code, imports: [name], helpers: [], byReference };
}

function valued(name: string, value: Code, options: Options, reference: unknown): Made {
  const given = optionsOf(options);
  // What looks for several texts takes the reference where there are only options.
  const before = name === 'contains' || given.length === 0 ? [] : ['undefined'];
  return {
    code: call(name, [value, ...given]),
    ...{ imports: [name], helpers: [] },
    byReference: { code: call(name, [...before, ...given]), value: reference },
  };
}

function inJson({ byReference, ...made }: Made): Made {
  return {
    ...made,
    code: call('json', [made.code]),
    helpers: [...made.helpers, 'json'],
    ...(byReference && {
      byReference: { ...byReference, code: call('json', [byReference.code]) },
    }),
  };
}

/** The evaluator that passes where another one fails. */
function inverted(
  grader: Grader,
  type: string,
  value: unknown,
  key: string | undefined,
): Grader | string {
  const options = /^i/.test(type) && type !== 'is-json' ? { ignoreCase: true, key } : { key };
  const given = { value, key };
  if (/^i?contains$/.test(type))
    return { isVerdict: true, ...(text('excludes', given, options) as Made) };
  if (/^i?contains-any$/.test(type))
    return { isVerdict: true, ...(texts('excludes', given, options) as Made) };
  const wrap = (code: Code) => call('not', [code, ...optionsOf({ key })]);
  return {
    ...grader,
    code: wrap(grader.code),
    imports: ['not', ...grader.imports],
    ...(grader.byReference && {
      byReference: { ...grader.byReference, code: wrap(grader.byReference.code) },
    }),
  };
}

function optionsOf(options: Options): Code[] {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? []
    : [object(given.map(([name, value]) => property(name, literal(value))))];
}

function isFile(value: unknown): boolean {
  return typeof value === 'string' && /^(file|package):/.test(value);
}

function expressionOf(source: string): string | undefined {
  try {
    return String(new RegExp(source));
  } catch {
    return undefined;
  }
}

/** A JSON Schema that decides alike here and there, or why it does not. */
function schemaOf(value: unknown): Options | string {
  if (typeof value === 'string' && isFile(value)) return 'its schema is in another file';
  const parsed = typeof value === 'string' ? parsedSchema(value) : value;
  if (!isObject(parsed)) return 'its schema is no object';
  if (hasField(parsed, 'format')) return 'the formats of its schema are not checked here';
  const types = Array.isArray(parsed.type) ? parsed.type : [parsed.type];
  const isSure = types.every((one) => typeof one === 'string' && one !== 'string');
  return isSure ? parsed : 'its schema has no type, or is one of texts';
}

function parsedSchema(text: string): unknown {
  try {
    return parseYaml(text, 'schema');
  } catch {
    return undefined;
  }
}

function hasField(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasField(one, name));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, one]) => (key === name && typeof one === 'string') || hasField(one, name),
  );
}

interface Part {
  readonly grader: Grader;
  readonly weight: number;
  readonly name: string;
  /** Lines above it. */
  readonly comment: readonly string[];
}

/** The evaluator of a test with a threshold: the mean by weight. */
export function weightedOf(parts: readonly Part[], min: number, key?: string): Grader {
  const names = new Map<string, number>();
  const properties = parts.map(({ grader, weight, name, comment }) => {
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    const pair = list([{ code: grader.code }, { code: String(weight) }]);
    return property(count === 1 ? name : `${name}_${count}`, pair, comment);
  });
  return {
    code: call('weighted', [
      object(properties),
      object([property('min', String(min)), ...keyed(key)]),
    ]),
    imports: ['weighted', ...parts.flatMap(({ grader }) => grader.imports)],
    helpers: parts.flatMap(({ grader }) => grader.helpers),
    isVerdict: false,
  };
}

function keyed(key: string | undefined) {
  return key === undefined ? [] : [property('key', literal(key))];
}

/** Lines of the comment above an evaluator. */
export function noteLines({ note }: Grader): string[] {
  return note === undefined ? [] : commentLines(note);
}
