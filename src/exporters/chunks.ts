/** Characters after which a piece of a document is handed on. */
export const chunkLength = 64 * 1024;

/** Joins small pieces of text to pieces of about 64,000 characters; none is ever split. */
export async function* joinChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let pending: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    pending.push(piece);
    length += piece.length;
    if (length >= chunkLength) {
      yield pending.join('');
      pending = [];
      length = 0;
    }
  }
  if (length > 0) yield pending.join('');
}
