import { Args } from '@oclif/core';
import { referenceSessionFlag, runDescription } from '../cli/flags.js';
import { writeToStdout } from '../cli/output.js';
import { findResult } from '../cli/show/shown-result.js';
import { renderResult } from '../cli/show/shown-result-text.js';
import { openShownRun } from '../cli/show/shown-run.js';
import { renderShownRun } from '../cli/show/shown-run-text.js';
import { StoreCommand } from '../cli/store-command.js';
import { coloursFor } from '../cli/terminal/colour.js';
import { streamWidth } from '../cli/terminal/stream-width.js';
import { type ResultPage, readResultPage } from '../model/result-page.js';

export class Show extends StoreCommand {
  static override summary = 'Show a saved run as `assay run` did, or one result whole.';
  static override examples = [
    '<%= config.bin %> show',
    '<%= config.bin %> show previous',
    '<%= config.bin %> show latest "orders.eval.ts::cancelOrder[twice]~2"',
    '<%= config.bin %> show brisk-otter --json | jq .total_passed',
  ];
  static override args = {
    run: Args.string({ description: `${runDescription} Default: latest.` }),
    id: Args.string({ description: 'Result: its id, or its name if only one has it.' }),
  };
  static override flags = { session: referenceSessionFlag };

  async run(): Promise<ResultPage | undefined> {
    const { args, flags } = await this.parse(Show);
    // Run names hardly ever contain `::`, so it means a result of the newest run.
    const isResult = args.id === undefined && args.run?.includes('::') === true;
    const id = isResult ? args.run : args.id;
    const reference = isResult ? 'latest' : (args.run ?? 'latest');
    const store = await this.openResults(flags);
    const cwd = process.cwd();
    const shown = await openShownRun(store, reference, { cwd, session: flags.session });
    const page = {
      columns: streamWidth(process.stdout),
      colours: coloursFor('stdout'),
      cwd,
    };
    try {
      this.noteProblems(shown.problems);
      if (id !== undefined) {
        const index = findResult(shown.run, id, cwd);
        const result = readResultPage(shown.run, shown.run.head(), index);
        if (this.jsonEnabled()) return result;
        this.log(renderResult(result.result, result.attempts?.length ?? 0, page));
        return undefined;
      }
      if (this.jsonEnabled()) {
        const { jsonExporter } = await import('../exporters/json.js');
        await writeToStdout(jsonExporter.render(shown.readable()));
        return undefined;
      }
      const { 'results-dir': resultsDir } = flags;
      this.log(renderShownRun(shown, { ...page, resultsDir, now: Date.now() }));
      return undefined;
    } finally {
      await shown.close();
    }
  }
}
