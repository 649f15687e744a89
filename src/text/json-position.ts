// V8's messages contain no position for most syntax errors, and valid JSON has no positions at all. So this walks
// the text, only for error messages.
const blanks = /[ \t\r\n]*/y;
const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not contain them
  /[[\]{},:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The token that may come next in a JSON text. */
type Expected = 'value' | 'value or ]' | '"key"' | '"key" or }' | ':' | ', or ]' | ', or }' | 'end';

interface Level {
  readonly kind: '[' | '{';
  /** Index of the current value, in an array. */
  index: number;
}

/** Called with every value and key, and the arrays and objects around it. Returns true to stop the walk. */
type Visit = (offset: number, levels: readonly Level[], key: string | undefined) => boolean;

interface Fault {
  readonly offset: number;
  readonly reason: string;
}

/** Finds where a text stops being JSON, and why. */
export function findJsonFault(text: string): Fault {
  return walk(text, () => false) ?? { offset: 0, reason: 'it is not JSON' };
}

/**
 * The offset of a value in a valid JSON text, given its path of array indices, or the offset of one of its keys.
 * The offset of the value if it has no such key; 0 if there is no such value.
 */
export function findJsonKey(text: string, path: readonly number[], key?: string): number {
  let found = 0;
  walk(text, (offset, levels, name) => {
    const isInside = path.every((position, depth) => levels[depth]?.index === position);
    if (!isInside) return false;
    if (name === undefined && levels.length === path.length) {
      found = offset;
      return key === undefined;
    }
    if (levels.length !== path.length + 1 || name === undefined || name !== key) return false;
    found = offset;
    return true;
  });
  return found;
}

/** The offsets of the items of an array that is a valid JSON text: of many thousands, quicker than a walk. */
export function findJsonItems(text: string): number[] {
  const items: number[] = [];
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/gs)) {
    if (part === ']' || part === '}') depth -= 1;
    else if (part === '[' || part === '{') depth += 1;
    const begins = part === ',' ? depth === 1 : part === '[' && depth === 1;
    if (!begins) continue;
    const item = match(blanks, text, index + 1)?.end ?? index + 1;
    if (text[item] !== ']') items.push(item);
  }
  return items;
}

function walk(text: string, visit: Visit): Fault | undefined {
  const levels: Level[] = [];
  let expected: Expected = 'value';
  let offset = 0;
  for (;;) {
    offset = match(blanks, text, offset)?.end ?? offset;
    if (expected === 'end' && offset === text.length) return undefined;
    const found = match(token, text, offset);
    const next: Expected | undefined =
      found === undefined ? undefined : follow(found.text, expected, levels);
    if (found === undefined || next === undefined) return fault(text, offset, expected);
    if (isVisited(found.text, expected)) {
      const key = expected.startsWith('"key"') ? (JSON.parse(found.text) as string) : undefined;
      const around = opens(found.text) ? levels.slice(0, -1) : levels;
      if (visit(offset, around, key)) return undefined;
    }
    expected = next;
    offset = found.end;
  }
}

function match(pattern: RegExp, text: string, offset: number) {
  pattern.lastIndex = offset;
  const found = pattern.exec(text);
  return found === null ? undefined : { text: found[0], end: pattern.lastIndex };
}

// The tokens that may follow, or undefined if this one is unexpected; updates `levels`.
function follow(found: string, expected: Expected, levels: Level[]): Expected | undefined {
  const isValue = expected.startsWith('value');
  if (opens(found)) {
    if (!isValue) return undefined;
    levels.push({ kind: found === '[' ? '[' : '{', index: 0 });
    return found === '[' ? 'value or ]' : '"key" or }';
  }
  if (found === ']' || found === '}') {
    if (!expected.endsWith(`or ${found}`)) return undefined;
    levels.pop();
    return afterValue(levels);
  }
  if (found === ':') return expected === ':' ? 'value' : undefined;
  if (found === ',') return expected.startsWith(',') ? afterComma(levels) : undefined;
  if (expected.startsWith('"key"')) return found.startsWith('"') ? ':' : undefined;
  return isValue ? afterValue(levels) : undefined;
}

function afterValue(levels: readonly Level[]): Expected {
  const top = levels.at(-1);
  if (top === undefined) return 'end';
  return top.kind === '[' ? ', or ]' : ', or }';
}

function afterComma(levels: readonly Level[]): Expected {
  const top = levels.at(-1);
  if (top?.kind !== '[') return '"key"';
  top.index += 1;
  return 'value';
}

function isVisited(found: string, expected: Expected): boolean {
  return !/^[\]},:]/.test(found) && (expected.startsWith('value') || expected.startsWith('"key"'));
}

function opens(found: string): boolean {
  return found === '[' || found === '{';
}

function fault(text: string, offset: number, expected: Expected): Fault {
  const found = text[offset];
  const got = found === undefined ? 'the end of the text' : JSON.stringify(found);
  if (expected === 'end') return { offset, reason: `it is not JSON: ${got} after the end` };
  const isString = found === '"';
  const reason = isString
    ? 'a string that is not closed or not valid'
    : `${got} instead of ${expected}`;
  return { offset, reason: `it is not JSON: ${reason}` };
}
