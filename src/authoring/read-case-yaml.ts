import { parsePlainYaml } from './plain-yaml.js';
import type { ParsedRows } from './rows-to-cases.js';

/** Rows of YAML text that holds a list. */
export async function readYaml(text: string, file: string): Promise<ParsedRows> {
  const rows = parsePlainYaml(text);
  if (!Array.isArray(rows)) return readWhole();
  let whole: Promise<ParsedRows> | undefined;
  return {
    rows,
    // Only the reader of the whole language knows where things stand; it is needed when something is wrong.
    locate: async (index, field) => {
      whole ??= readWhole();
      return (await whole).locate(index, field);
    },
  };

  async function readWhole(): Promise<ParsedRows> {
    const { readWholeYaml } = await import('./read-whole-yaml.js');
    return readWholeYaml(text, file);
  }
}
