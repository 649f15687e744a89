/** A name that is not taken yet: itself, or with a number. Takes it. */
export function uniqueName(name: string, taken: Set<string>, between = '-'): string {
  let free = name;
  for (let at = 2; taken.has(free); at++) free = `${name}${between}${at}`;
  taken.add(free);
  return free;
}

/** A text as a name of TypeScript, `My first test` as `myFirstTest`; empty if nothing is left. */
export function camelName(text: string): string {
  const words = text.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? [];
  const name = words
    .map((word, at) => (at === 0 ? lowerFirst(word) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  const safe = /^\d/.test(name) ? `case${name}` : name;
  return reserved.has(safe) ? `${safe}Evaluation` : safe;
}

/** Names in capitals, such as `RAG`, are no `rAG`. */
function lowerFirst(word: string): string {
  return /^[A-Z0-9]+$/.test(word)
    ? word.toLowerCase()
    : word.charAt(0).toLowerCase() + word.slice(1);
}

const reserved = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval evaluation export extends
false finally for function if implements import in instanceof interface let new null package private protected public
return static super switch this throw true try typeof var void while with yield`.split(/\s+/),
);
