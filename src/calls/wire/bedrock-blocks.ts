import type { Json, JsonObject } from '../../model/result.js';
import { objectOf, objectsOf, textOf } from './json.js';
import { inputFrom } from './messages.js';

/** A content block of Converse that comes in pieces. */
export class BlockPieces {
  readonly #start: JsonObject;
  /** By kind; texts in them grow, everything else is collected. */
  readonly #pieces = new Map<string, Json[]>();

  constructor(start: JsonObject = {}) {
    this.#start = start;
  }

  add(delta: JsonObject): void {
    for (const [kind, value] of Object.entries(delta)) {
      const known = this.#pieces.get(kind);
      if (known === undefined) this.#pieces.set(kind, [value]);
      else known.push(value);
    }
  }

  /** The block as an answer that is no stream has it. */
  whole(): JsonObject {
    const pieces = (kind: string) => this.#pieces.get(kind) ?? [];
    const text = pieces('text').map(textOf).join('');
    const call = objectOf(this.#start.toolUse);
    if (call !== undefined) {
      const given = pieces('toolUse')
        .map((piece) => textOf(objectOf(piece)?.input))
        .join('');
      const input = given === '' ? (call.input ?? {}) : inputFrom(given);
      return { toolUse: { ...call, input } };
    }
    const result = objectOf(this.#start.toolResult);
    if (result !== undefined) {
      const content = pieces('toolResult').flatMap(objectsOf);
      return { toolResult: { ...result, content } };
    }
    const image = objectOf(this.#start.image);
    if (image !== undefined)
      return { image: Object.assign({}, image, ...objectsOf(pieces('image'))) };
    const citations = pieces('citation');
    if (citations.length > 0) return { citationsContent: { content: [{ text }], citations } };
    const thoughts = objectsOf(pieces('reasoningContent'));
    if (thoughts.length > 0) return { reasoningContent: wholeThought(thoughts) };
    const [other] = this.#pieces.keys();
    return other === undefined || other === 'text' ? { text } : { [other]: pieces(other) };
  }
}

function wholeThought(pieces: readonly JsonObject[]): JsonObject {
  const joined = (field: string) => pieces.map((piece) => textOf(piece[field]) ?? '').join('');
  const [signature, redactedContent] = [joined('signature'), joined('redactedContent')];
  if (redactedContent !== '') return { redactedContent };
  return { reasoningText: { text: joined('text'), ...(signature !== '' && { signature }) } };
}
