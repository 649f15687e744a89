/** A piece of TypeScript that is printed on one line if it fits, else on several. */
export type Code = string | Brackets;

/** An item between brackets. */
export interface Item {
  /** Lines of a comment above it, without `//`. */
  readonly comment?: readonly string[];
  readonly code: Code;
  /** `name: ` of a property. */
  readonly before?: string;
}

interface Brackets {
  readonly kind: 'list' | 'object' | 'call';
  readonly open: string;
  readonly items: readonly Item[];
  readonly close: string;
  /** True for several lines even where one would do. */
  readonly isExpanded?: boolean;
}

const longestLine = 100;

export function list(items: readonly Item[]): Code {
  return { kind: 'list', open: '[', items, close: ']' };
}

export function object(properties: readonly Item[]): Code {
  return { kind: 'object', open: '{', items: properties, close: '}' };
}

export function call(name: string, args: readonly Code[]): Code {
  return { kind: 'call', open: `${name}(`, items: args.map((code) => ({ code })), close: ')' };
}

export function property(name: string, code: Code, comment: readonly string[] = []): Item {
  return { before: `${keyText(name)}: `, code, comment };
}

/** The literal of a JSON value; fields that are `undefined` are left out. */
export function literal(value: unknown): Code {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return list(value.map((one) => ({ code: literal(one) })));
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return object(entries.map(([key, one]) => property(key, literal(one))));
}

/** A string literal, or a template where the text has several lines. */
export function quoted(text: string): string {
  if (text.trim().includes('\n') && !/[\r\u2028\u2029]/.test(text)) {
    return `\`${text.replace(/[`\\]|\$\{/g, '\\$&')}\``;
  }
  const json = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  const isDouble = text.includes("'") && text.split("'").length > text.split('"').length;
  const quote = isDouble ? '"' : "'";
  const escaped = json.replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}${quote}`;
}

/** A name as the key of an object. */
export function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** Prints code that begins in a column of a line and is followed by some characters. */
export function print(code: Code, indent = '', column = indent.length, after = 1): string {
  if (typeof code === 'string') return code;
  const { open, close, items } = code;
  const flat = flatText(code);
  if (flat !== undefined && column + flat.length + after <= longestLine) return flat;
  const hugged = code.kind === 'call' ? hug(code, indent, column) : undefined;
  if (hugged !== undefined) return hugged;
  const inner = `${indent}  `;
  const lines = items.flatMap(({ comment = [], before = '', code: item }) => [
    ...comment.map((line) => `${inner}// ${line}`.trimEnd()),
    `${inner}${before}${print(item, inner, inner.length + before.length)},`,
  ]);
  return items.length === 0 ? `${open}${close}` : [open, ...lines, `${indent}${close}`].join('\n');
}

/** A call whose last argument alone takes several lines: `f('a', {`. */
function hug({ open, close, items }: Brackets, indent: string, column: number): string | undefined {
  const last = items.at(-1);
  if (last === undefined || !isBlock(last.code)) return undefined;
  const others = items.slice(0, -1).map(({ code }) => code);
  if (others.some((one) => typeof one !== 'string' && typeof last.code !== 'string'))
    return undefined;
  const texts = others.map(flatText);
  if (texts.some((one) => one === undefined || one.includes('\n'))) return undefined;
  const start = [open, ...texts.map((one) => `${one}, `)].join('');
  const block = print(last.code, indent, column + start.length);
  const [head = ''] = block.split('\n');
  return column + start.length + head.length > longestLine ? undefined : start + block + close;
}

/** What can stand behind a bracket and go on below: objects, lists and functions. */
function isBlock(code: Code): boolean {
  return typeof code === 'string'
    ? code.endsWith('}') && code.includes('=> {')
    : code.kind !== 'call';
}

/** `undefined` where it needs several lines. */
function flatText(code: Code): string | undefined {
  if (typeof code === 'string') return code.includes('\n') ? undefined : code;
  const { kind, open, close, items, isExpanded = false } = code;
  if ((isExpanded && items.length > 0) || (kind === 'list' && isTable(items))) return undefined;
  const texts: string[] = [];
  for (const { comment = [], before = '', code: item } of items) {
    const text = flatText(item);
    if (text === undefined || comment.length > 0) return undefined;
    texts.push(before + text);
  }
  const space = kind === 'object' && texts.length > 0 ? ' ' : '';
  return `${open}${space}${texts.join(', ')}${space}${close}`;
}

/** Several objects with several fields each, or several such lists: formatters give each a line. */
function isTable(items: readonly Item[]): boolean {
  const kinds = new Set(items.map(({ code }) => (typeof code === 'string' ? 'text' : code.kind)));
  const isSame = kinds.size === 1 && (kinds.has('object') || kinds.has('list'));
  const isWide = ({ code }: Item) => typeof code !== 'string' && code.items.length > 1;
  return items.length > 1 && isSame && items.every(isWide);
}

/** A text as lines of a comment. */
export function commentLines(text: string): string[] {
  return text
    .trimEnd()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replaceAll('\t', '  '));
}
