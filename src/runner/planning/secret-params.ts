import { AssayError } from '../../errors.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Redactor } from '../../text/redact.js';

interface RedactOptions {
  readonly redact: (text: string) => string;
  readonly secrets: Pick<Redactor, 'redactNumber'>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Stands for a secret that the environment alone does not give back, such as an encoded one. */
const lost = '[redacted]';
const named = /\[redacted:(\w+)\]/g;

/** Params as a run keeps them for the next time: secrets of the environment are replaced by their names. */
export function keptParams(
  params: JsonObject,
  { secrets, env }: { readonly secrets: Redactor; readonly env: Env },
): JsonObject {
  const redact = (text: string) => {
    const kept = secrets.redact(text);
    return withSecrets(kept, env) === text ? kept : lost;
  };
  const redactNumber = (value: number) =>
    secrets.redactNumber?.(value) === undefined ? undefined : lost;
  return redactedParams(params, { redact, secrets: { redactNumber } });
}

/** Params, down to the names in them, without what is redacted. */
export function redactedParams(
  params: JsonObject,
  { redact, secrets: { redactNumber } }: RedactOptions,
): JsonObject {
  const shown = (value: Json): Json => {
    if (typeof value === 'string') return redact(value);
    if (typeof value === 'number') return redactNumber?.(value) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? value.map(shown) : ofFields(value as JsonObject);
  };
  const ofFields = (fields: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(fields).map(([key, one]) => [redact(key), shown(one)]));
  return ofFields(params);
}

/** The same params with the secrets that the environment has now. Error: `bad-request` for one that it does not have. */
export function restoredParams(params: JsonObject, env: Env): JsonObject {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      JSON.parse(JSON.stringify(value), (_, part) => {
        if (typeof part !== 'string') return part;
        if (part === lost) throw isLost(name);
        const [, missing] = [...part.matchAll(named)].find(([, one = '']) => !env[one]) ?? [];
        if (missing !== undefined) throw isMissing(name, missing);
        return withSecrets(part, env);
      }),
    ]),
  );
}

function withSecrets(text: string, env: Env): string {
  return text.replace(named, (found, name) => env[name]?.trim() || found);
}

function isMissing(name: string, variable: string): AssayError {
  return new AssayError(
    'bad-request',
    `The param ${name} held the value of ${variable}, a secret: the run does not keep it, and ${variable} is not set.`,
    { hints: [`Set ${variable}, or start a new run.`] },
  );
}

function isLost(name: string): AssayError {
  return new AssayError(
    'bad-request',
    `The param ${name} held a secret, which the run does not keep.`,
    { hints: [`Start a new run with --param ${name}.`] },
  );
}
