// Replaces a file with 50,000 bytes, and says how that went wrong.
import { replaceFile } from '../../../src/files/replace-file.js';

try {
  await replaceFile(process.argv[2] ?? '', 'x'.repeat(50_000));
} catch (error) {
  console.log((error as NodeJS.ErrnoException).code);
}
