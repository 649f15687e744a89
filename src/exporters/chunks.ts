/** Length from which a chunk is passed on, in characters. */
export const chunkLength = 64 * 1024;

/** Joins small pieces of text into chunks of about 64,000 characters, without splitting any. */
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
