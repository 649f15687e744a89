// Compresses the built web UI as well as it can be, once: the server would have to be quick about it for every visitor.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { globSync } from 'tinyglobby';

const folder = fileURLToPath(new URL('../dist/ui', import.meta.url));

for (const name of globSync('**/*.{js,css,svg}', { cwd: folder })) {
  const path = join(folder, name);
  const plain = readFileSync(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  writeFileSync(`${path}.br`, brotliCompressSync(plain, { params }));
}
