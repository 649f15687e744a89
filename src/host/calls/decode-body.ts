type Decode = (bytes: Uint8Array) => Uint8Array;

/** A decompressed body; of a cut body, the available part. Throws for invalid bytes. */
export function decodeBody(bytes: Uint8Array, encoding: string | undefined): Uint8Array {
  if (encoding === undefined || bytes.length === 0) return bytes;
  // The last was applied last.
  return encoding
    .toLowerCase()
    .split(',')
    .reverse()
    .reduce((body, name) => decoderOf(name.trim())(body), bytes);
}

function decoderOf(name: string): Decode {
  const zlib = process.getBuiltinModule('node:zlib');
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  switch (name) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return (bytes) => zlib.unzipSync(bytes, { finishFlush: Z_SYNC_FLUSH });
    case 'br':
      return (bytes) => zlib.brotliDecompressSync(bytes, { finishFlush: BROTLI_OPERATION_FLUSH });
    case 'zstd': {
      // From Node 22.15 on; the types are those of Node 20.
      const { zstdDecompressSync } = zlib as typeof zlib & { zstdDecompressSync?: Decode };
      if (zstdDecompressSync !== undefined) return zstdDecompressSync;
      throw new Error('this version of Node cannot decompress zstd');
    }
    case 'identity':
    case '':
      return (bytes) => bytes;
    default:
      throw new Error(`unknown content encoding ${name}`);
  }
}
