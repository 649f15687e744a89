import {
  COLLECTION_STYLE,
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  floatCoreTag,
  intCoreTag,
  mapTag,
  NOT_RESOLVED,
  parseEvents,
  SCALAR_STYLE,
  type ScalarStyle,
  type ScalarTagDefinition,
} from 'js-yaml';

/**
 * Parses one plain YAML document ten times as fast as a complete parser: without anchors, tags and directives, with
 * string keys and without duplicate keys. `undefined` for other documents and for errors.
 */
export function parsePlainYaml(text: string): unknown {
  if (notPlain.test(text)) return undefined;
  try {
    const events = parseEvents(text, {});
    return isPlain(events, text)
      ? constructFromEvents(events, { source: text, schema })[0]
      : undefined;
  } catch {
    return undefined; // the reader of the whole language reports what is wrong, and where
  }
}

/** Rare syntax that the two parsers may read differently; left to the complete parser. */
const notPlain = new RegExp(
  [
    /\r(?!\n)/, // a carriage return alone
    /\uFEFF/, // a byte order mark
    /^[ :?-]*\t/, // a tab that indents
    /^\.\.\./, // the end of a document
    /-[ ]*\r?\n[ ]*#/, // a comment between a dash and what belongs to it
    /[|>](?:[-+]?[1-9]|\+)[-+1-9]*(?:[ \t]+#.*)?[ \t]*$/, // a block text that says how it is indented, or keeps empty lines
    /\\\r?\n[ \t]*\r?\n/, // an escaped line end before an empty line
  ]
    .map((part) => part.source)
    .join('|'),
  'm',
);
const documentStart = /^---\s/m;
const afterQuotes = /[ \t]*(?:[\r\n#,\]}:]|$)/y;

function isPlain(events: readonly Event[], text: string): boolean {
  let documents = 0;
  for (const event of events) {
    if ('directives' in event) {
      documents += 1;
      if (event.explicitStart && !documentStart.test(text)) return false;
      if (documents > 1 || event.directives.length > 0) return false;
    }
    if ('anchorStart' in event && event.anchorStart >= 0) return false;
    if ('tagStart' in event && event.tagStart >= 0) return false;
    if ('valueEnd' in event && isQuoted(event.style) && !mayEnd(text, event.valueEnd + 1)) {
      return false;
    }
  }
  return !hasFollowedBracket(events, text);
}

function isQuoted(style: ScalarStyle): boolean {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
}

/** True when the text at `offset` may follow quotes. */
function mayEnd(text: string, offset: number): boolean {
  afterQuotes.lastIndex = offset;
  return afterQuotes.test(text);
}

/** True when text follows brackets on their line, which the fast parser sometimes ignores. */
function hasFollowedBracket(events: readonly Event[], text: string): boolean {
  const openInBrackets: boolean[] = [];
  let isClosed = false;
  let end = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      isClosed = openInBrackets.pop() === true && openInBrackets.at(-1) !== true;
      continue;
    }
    const start = 'start' in event ? event.start : 'valueStart' in event ? event.valueStart : -1;
    if (start >= 0) {
      if (isClosed && !text.slice(end, start).includes('\n')) return true;
      isClosed = false;
      end = 'valueEnd' in event ? event.valueEnd : start;
    }
    if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) {
      openInBrackets.push('style' in event && event.style === COLLECTION_STYLE.FLOW);
    }
  }
  return false;
}

/** YAML 1.2, which throws for everything that the two parsers read differently. */
const schema = CORE_SCHEMA.withTags(
  {
    ...mapTag,
    addPair: (map: Record<string, unknown>, key: unknown, value: unknown) =>
      typeof key === 'string' && key !== '<<' ? mapTag.addPair(map, key, value) : 'no plain key',
  },
  finite(intCoreTag),
  finite(floatCoreTag),
);

/** Rejects numbers out of range. */
function finite(tag: ScalarTagDefinition<number>): ScalarTagDefinition<number> {
  return {
    ...tag,
    resolve: (source, isExplicit, tagName) => {
      const value = tag.resolve(source, isExplicit, tagName);
      if (value === NOT_RESOLVED && Math.abs(Number(source)) === Number.POSITIVE_INFINITY) {
        throw new RangeError(source);
      }
      return value;
    },
  };
}
