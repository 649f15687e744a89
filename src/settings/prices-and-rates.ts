import { isNumber, isObject } from '../model/json.js';
import { didYouMean } from '../text/near-names.js';
import type { Fault, ValuePath } from './settings-error.js';

/** A value in an entry of a map. */
interface Field {
  readonly description: string;
  /** Completes a sentence such as `prices.gpt-5.input must be …`. */
  readonly expected: string;
  readonly schema: Readonly<Record<string, unknown>>;
  accepts(value: unknown): boolean;
}

/** A map of the settings file about calls of models: numbers by the name of a model (or host). */
interface CallMap {
  readonly description: string;
  /** Name of an entry, as in `is not part of a price`. */
  readonly entry: string;
  /** A key of the map, as an example. */
  readonly example: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** An entry has at least one of these sets of fields, and none of the first in part. Default: anything. */
  readonly required?: readonly (readonly string[])[];
}

function dollars(description: string): Field {
  return {
    description,
    expected: 'a number of US dollars, 0 or more',
    schema: { type: 'number', minimum: 0 },
    accepts: (value) => isNumber(value) && value >= 0,
  };
}

function amount(description: string): Field {
  return {
    description,
    expected: 'a whole number above 0',
    schema: { type: 'integer', minimum: 1 },
    accepts: (value) => isNumber(value) && Number.isSafeInteger(value) && value >= 1,
  };
}

/** The maps of the settings file about calls of models, by key. */
export const callMaps = {
  prices: {
    description: 'What models cost, by name, in US dollars per million tokens.',
    entry: 'a price',
    example: 'prices.my-model.input',
    fields: {
      provider: {
        description:
          'Provider to name where the address does not tell it; without `input` and `output`, its prices in the list apply.',
        expected: 'the name of a provider, such as mistral',
        schema: { type: 'string', minLength: 1 },
        accepts: (value) => typeof value === 'string' && value.trim() !== '',
      },
      input: dollars('Input tokens.'),
      cached: dollars('Input read from the cache of the provider. Default: as other input.'),
      output: dollars('Output tokens.'),
      searches: dollars('A thousand searches of a reranker.'),
    },
    required: [['input', 'output'], ['provider'], ['searches']],
  },
  rates: {
    description: 'Rate limits of models, by name or host; `*` stands for any characters.',
    entry: 'a rate',
    example: 'rates.my-model.requests',
    fields: {
      requests: amount('Calls a minute.'),
      tokens: amount('Input and output tokens a minute.'),
      at_once: amount('Calls at the same time.'),
    },
  },
} as const satisfies Record<string, CallMap>;

export type CallMapKey = keyof typeof callMaps;
export const callMapKeys = Object.keys(callMaps) as readonly CallMapKey[];

/** True for the key of a map about calls. */
export function isCallMapKey(key: string): key is CallMapKey {
  return Object.hasOwn(callMaps, key);
}

/** The fields of an entry, as text: `input, cached and output`. */
export function fieldsText(key: CallMapKey): string {
  return Object.keys(callMaps[key].fields)
    .join(', ')
    .replace(/, (\w+)$/, ' and $1');
}

/** Faults of the entry `name` of a map. */
export function callMapFaults(
  key: CallMapKey,
  name: string,
  entry: unknown,
  path: ValuePath,
): Fault[] {
  // Objects do not take `__proto__` as a key.
  if (name === '__proto__' || name === '') return [{ path, text: 'needs the name of a model' }];
  const { entry: what, fields, required = [] }: CallMap = callMaps[key];
  if (!isObject(entry)) {
    const field = callMaps[key].example.split('.').at(-1);
    return [{ path, text: `must be a list of key: value, such as ${field}: 1` }];
  }
  const isMissing = (field: string) => (entry[field] ?? null) === null;
  const [first = []] = required;
  const isComplete = required.some((set) => !set.some(isMissing)) || required.length === 0;
  const isInPart = first.some(isMissing) && !first.every(isMissing);
  const missing = isComplete && !isInPart ? [] : first.filter(isMissing);
  if (missing.length > 0) return [{ path, text: `needs ${missing.join(' and ')}` }];
  return Object.entries(entry).flatMap(([field, value]): Fault[] => {
    const at = [...path, field];
    const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (known === undefined) {
      const hint = didYouMean(field, Object.keys(fields)) ?? `It has ${fieldsText(key)}.`;
      return [{ path: at, text: `is not part of ${what}. ${hint}`, isAboutKey: true }];
    }
    const isFine = value === null || known.accepts(value);
    return isFine ? [] : [{ path: at, text: `must be ${known.expected}` }];
  });
}

/** JSON Schema of an entry of a map. */
export function callMapSchema(key: CallMapKey) {
  const { fields, required = [] }: CallMap = callMaps[key];
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([field, { description, schema }]) => [
        field,
        orNull(description, schema),
      ]),
    ),
    ...(required.length > 0 && { anyOf: required.map((set) => ({ required: set })) }),
    additionalProperties: false,
  };
}

function orNull(description: string, schema: Readonly<Record<string, unknown>>) {
  return { description, anyOf: [schema, { type: 'null' }] };
}

/** The entries of a checked map that are not empty; `undefined` without any. */
export function readCallMap<Entry>(map: unknown): Readonly<Record<string, Entry>> | undefined {
  const entries = Object.entries((map ?? {}) as Record<string, Record<string, unknown>>);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(([name, entry]) => {
      const given = Object.entries(entry).filter(([, value]) => value !== null);
      // Checked when the file was read.
      return [name, Object.fromEntries(given) as Entry];
    }),
  );
}
