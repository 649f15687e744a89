import { AssayError } from '../errors.js';
import { csvExporter } from './csv.js';
import type { Exporter } from './exporter.js';
import { jsonExporter } from './json.js';
import { markdownExporter } from './markdown.js';
import { otlpExporter } from './otlp/otlp.js';

/** Every export format, in the order of the help. */
export const exporters = [
  jsonExporter,
  csvExporter,
  markdownExporter,
  otlpExporter,
] as const satisfies readonly Exporter[];

/** Name of an export format. */
export type ExportFormat = (typeof exporters)[number]['format'];

/** Names of all export formats. */
export const exportFormats: readonly ExportFormat[] = exporters.map((e) => e.format);

/** The format for a file name; JSON without an extension. Error: `usage` for an unknown extension. */
export function formatOfFile(name: string): ExportFormat {
  const extension = /[^/\\]\.([^./\\]*)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return 'json';
  const found = exporters.find((exporter) => name.toLowerCase().endsWith(`.${exporter.extension}`));
  if (found !== undefined) return found.format;
  const endings = exporters.map((exporter) => `.${exporter.extension}`).join(', ');
  throw new AssayError('usage', `No export format is called .${extension}: ${name}.`, {
    hints: [`Endings: ${endings}`],
  });
}

/** The exporter of a format. Error: `usage` for an unknown format. */
export function findExporter(format: string): Exporter<ExportFormat> {
  const found = exporters.find((exporter) => exporter.format === format);
  if (found === undefined) {
    throw new AssayError('usage', `Unknown export format: ${format}.`, {
      hints: [`Formats: ${exportFormats.join(', ')}`],
    });
  }
  return found;
}
