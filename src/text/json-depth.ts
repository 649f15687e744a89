/** Maximum nesting of a stored document: values are cut at 200 levels, and their containers add a few. */
export const mostJsonLevels = 400;

/**
 * True for JSON text that is nested deeper than `levels`. `JSON.parse` accepts any depth; `JSON.stringify` and
 * other recursive code do not.
 */
export function isNestedDeeper(text: string, levels: number): boolean {
  return countUpTo(text, levels + 1) > levels && depthOf(text) > levels;
}

/** Counts opening brackets, including those within strings, up to `most`. Much quicker than measuring the depth. */
function countUpTo(text: string, most: number): number {
  let count = 0;
  for (const bracket of ['[', '{']) {
    let at = text.indexOf(bracket);
    while (at !== -1 && count < most) {
      count += 1;
      at = text.indexOf(bracket, at + 1);
    }
  }
  return count;
}

function depthOf(text: string): number {
  let deepest = 0;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isInText = !isInText;
    else if (isInText) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}
