import { joinChunks } from '../../exporters/chunks.js';
import { writeDocument } from '../output.js';
import { checkOutputFile, writeToFile } from '../output-file.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import { renderJunit } from './junit-document.js';
import type { Reporter, ReporterTools } from './reporter.js';

/** Writes a JUnit XML document to a file, or to stdout. */
export function junitReporter(file: string | undefined, tools: ReporterTools): Reporter {
  return {
    check: async () => {
      if (file !== undefined) await checkOutputFile(file);
    },
    report: async ({ run }) => {
      const pieces = joinChunks(renderJunit(run));
      if (file === undefined) {
        await writeDocument(pieces, false);
        return;
      }
      await writeToFile(file, pieces);
      tools.print(`JUnit report written to ${escapeTerminal(file)}\n`);
    },
  };
}
