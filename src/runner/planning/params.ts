import { AssayError } from '../../errors.js';
import { isObject, isSameJson, type Json, type JsonObject, parseJson } from '../../model/json.js';
import type { Descriptor } from '../../protocol/messages.js';
import type { ResolvedRunConfig } from '../../settings/resolve-run-config.js';
import { hasInexactNumber } from '../../text/exact-number.js';
import { nearNames } from '../../text/near-names.js';

/** The params that evaluations of a run read, as far as they say it. */
export interface DeclaredParams {
  /** The different defaults of each param. */
  readonly defaults: ReadonlyMap<string, readonly Json[]>;
  /** True if an evaluation gives no defaults, so that it may read any param. */
  readonly hasOpen: boolean;
}

/** What evaluations say of the params that they read. */
export function declaredParams(descriptors: readonly Descriptor[]): DeclaredParams {
  const defaults = new Map<string, Json[]>();
  const seen = new Set<JsonObject>();
  let hasOpen = false;
  for (const { params } of descriptors) {
    if (params === undefined) hasOpen = true;
    // Cases share what their evaluation says.
    if (params === undefined || seen.has(params)) continue;
    seen.add(params);
    for (const [name, value] of Object.entries(params)) {
      const known = defaults.get(name) ?? [];
      if (!known.some((one) => isSameJson(one, value))) known.push(value);
      defaults.set(name, known);
    }
  }
  return { defaults, hasOpen };
}

/** Makes the params that a run is started with, once it is known which ones its evaluations read. */
export type ReadParams = (declared: DeclaredParams) => JsonObject;

/**
 * A run config with the params that a run is started with. Error: `bad-request` for a param that is set and that nothing
 * reads, or that has another type than its default.
 */
export function withParams(
  config: ResolvedRunConfig,
  {
    descriptors,
    evaluations,
  }: { readonly [of in 'descriptors' | 'evaluations']: readonly Descriptor[] },
  readParams: ReadParams | undefined,
): ResolvedRunConfig {
  checkParams(config.params, declaredParams(descriptors));
  if (readParams === undefined) return config;
  // What is asked for must have an effect on what runs; a run config is for all evaluations.
  const declared = declaredParams(evaluations);
  const ownParams = readParams(declared);
  checkParams(ownParams, declared);
  return { ...config, params: { ...config.params, ...ownParams }, ownParams };
}

/**
 * The value that a text of `--param` stands for: of the type of the default; without one, JSON where it parses, else text.
 * Error: `usage` for a text that is no such value.
 */
export function readParam(name: string, text: string, { defaults }: DeclaredParams): Json {
  const known = defaults.get(name);
  const json = jsonOf(text);
  if (known === undefined) return json ?? text;
  const kinds = [...new Set(known.map(kindOf))];
  if (kinds.includes('text')) return text;
  if (json !== undefined && (kinds.includes(kindOf(json)) || kinds.includes('null'))) return json;
  if (kinds.includes('null')) return text;
  throw new AssayError(
    'usage',
    `The param ${name} is ${kinds.join(' or ')} in the evaluations, and ${JSON.stringify(text)} is none.`,
    !hasInexactNumber(text)
      ? {}
      : {
          hints: [
            'It has a number with more digits than numbers keep; a default that is a text keeps them.',
          ],
        },
  );
}

/**
 * Checks the params of a run config or of a request: each is one that an evaluation of the run reads, and has the type of its
 * default. Error: `bad-request` that names it, and the nearest name.
 */
export function checkParams(params: JsonObject, declared: DeclaredParams): void {
  for (const [name, value] of Object.entries(params)) {
    if (hasNoJson(value)) {
      const text = `The param ${name} has a number that is infinite, or none (NaN).`;
      throw new AssayError('bad-request', text);
    }
    const known = declared.defaults.get(name);
    if (known === undefined) {
      if (declared.hasOpen) continue;
      throw unreadParam(name, declared);
    }
    const kinds = [...new Set(known.map(kindOf))];
    if (kinds.includes('null') || kinds.includes(kindOf(value))) continue;
    throw new AssayError(
      'bad-request',
      `The param ${name} is ${kinds.join(' or ')} in the evaluations, not ${JSON.stringify(value)}.`,
    );
  }
}

/** Not one with a number that would change: an id of 20 digits is a text. */
function jsonOf(text: string): Json | undefined {
  return hasInexactNumber(text) ? undefined : parseJson(text);
}

/** True for numbers that JSON does not have. */
function hasNoJson(value: Json): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNoJson);
}

function unreadParam(name: string, { defaults }: DeclaredParams): AssayError {
  const names = [...defaults.keys()];
  const [near] = nearNames(name, names);
  const known =
    names.length === 0
      ? 'The evaluations have no params: give them defaults, such as params: { model: "large" }.'
      : `The evaluations read ${names.join(', ')}.`;
  return new AssayError('bad-request', `No evaluation of the run reads the param ${name}.`, {
    hints: [near === undefined ? known : `Did you mean ${near}?`],
  });
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value === 'number') return 'a number';
  return typeof value === 'string' ? 'text' : 'true or false';
}
