import { parsePlainYaml } from './plain-yaml.js';
import type { ParsedRows } from './rows-to-cases.js';

/** The rows of a YAML list. */
export async function readYaml(text: string, file: string): Promise<ParsedRows> {
  const rows = parsePlainYaml(text);
  if (!Array.isArray(rows)) return readWhole();
  let whole: Promise<ParsedRows> | undefined;
  return {
    rows,
    // Only the complete parser knows positions, which errors need.
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
