/** One step of a path: a key, a position, or any position. */
type Step = string | number | typeof any;
const any = Symbol('any');

const form = /^(?:[^.[\]]+|\[(?:\d+|\*)\])(?:\.[^.[\]]+|\[(?:\d+|\*)\])*$/;

/** True for the path of a value in JSON: `metadata.date`, `messages[0].content`, `messages[*].name`. */
export function isJsonPath(text: unknown): text is string {
  return typeof text === 'string' && form.test(text);
}

/** Makes a function that takes the values at paths out of JSON, in place. */
export function withoutPaths(paths: readonly string[]): (json: unknown) => unknown {
  const all = paths.map(stepsOf);
  return (json) => {
    for (const steps of all) takeOut(json, steps);
    return json;
  };
}

function stepsOf(path: string): Step[] {
  return [...path.matchAll(/\[(\*|\d+)\]|[^.[\]]+/g)].map(([step, position]) => {
    if (position === undefined) return step;
    return position === '*' ? any : Number(position);
  });
}

function takeOut(json: unknown, [step, ...others]: readonly Step[]): void {
  if (typeof json !== 'object' || json === null || step === undefined) return;
  const keys = step === any ? Object.keys(json) : [String(step)];
  for (const key of keys) {
    if (!Object.hasOwn(json, key)) continue;
    if (others.length > 0) takeOut(Reflect.get(json, key), others);
    // What follows keeps its position.
    else if (Array.isArray(json)) json[Number(key)] = null;
    else Reflect.deleteProperty(json, key);
  }
}
