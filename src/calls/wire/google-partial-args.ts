import type { Json, JsonObject } from '../../model/result.js';
import { nameOf, objectOf, objectsOf } from './json.js';

/** True for a function call with further pieces to come. */
export function isPartial(call: JsonObject | undefined): boolean {
  return call?.willContinue === true;
}

/** A function call of a stream after a further piece, which names the values that it sets by JSON path. */
export function withPartialArgs(before: JsonObject = {}, piece: JsonObject): JsonObject {
  const { partialArgs, willContinue: _, ...fields } = piece;
  let args: Json = { ...objectOf(before.args), ...objectOf(piece.args) };
  for (const partial of objectsOf(partialArgs)) {
    const path = nameOf(partial.jsonPath)?.match(/[^.[\]'"$]+/g) ?? [];
    args = withValue(args, path, givenValue(partial));
  }
  const isEnded = piece.willContinue !== true;
  const { willContinue: __, ...rest } = before;
  return { ...rest, ...fields, args, ...(!isEnded && { willContinue: true }) };
}

function givenValue({ stringValue, numberValue, boolValue }: JsonObject): Json {
  return stringValue ?? numberValue ?? boolValue ?? null;
}

/** Texts grow, everything else is replaced. */
function withValue(whole: Json | undefined, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) {
    return typeof whole === 'string' && typeof value === 'string' ? whole + value : value;
  }
  if (/^\d+$/.test(key) && (whole === undefined || Array.isArray(whole))) {
    const list: Json[] = whole === undefined ? [] : [...whole];
    const at = Math.min(Number(key), list.length);
    list[at] = withValue(list[at], rest, value);
    return list;
  }
  const fields = objectOf(whole) ?? {};
  return { ...fields, [key]: withValue(fields[key], rest, value) };
}
