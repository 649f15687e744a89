import { Args } from '@oclif/core';
import { referenceSessionFlag, runDescription } from '../../../cli/flags.js';
import {
  countLabels,
  type LabelCounts,
  renderLabelCounts,
} from '../../../cli/sessions/label-counts.js';
import { StoreCommand } from '../../../cli/store-command.js';
import { findStoredRun } from '../../../store/listing/resolve-reference.js';

/** Answer of `assay sessions labels --json`. */
export interface LabelsJson {
  readonly run_id: string;
  readonly run_name: string;
  /** By key, reviewer and version of the rubric. */
  readonly labels: readonly LabelCounts[];
}

export default class SessionsLabels extends StoreCommand {
  static override summary = 'Count the labels of a run by score, reviewer and rubric.';
  static override examples = [
    '<%= config.bin %> sessions labels',
    '<%= config.bin %> sessions labels nightly --json',
  ];
  static override args = {
    run: Args.string({ description: runDescription, default: 'latest' }),
  };
  static override flags = { session: referenceSessionFlag };

  async run(): Promise<LabelsJson> {
    const { args, flags } = await this.parse(SessionsLabels);
    const store = await this.openResults(flags);
    const where = { cwd: process.cwd(), session: flags.session };
    const run = await store.openRun(await findStoredRun(store, args.run, where));
    try {
      this.noteProblems(run.problems);
      const labels = countLabels(run.labels());
      if (labels.length > 0) this.log(renderLabelCounts(labels, process.stdout.columns));
      else this.logToStderr(`No labels yet. Make some: ${this.config.bin} review ${args.run}`);
      return { run_id: run.runId, run_name: run.header.run_name, labels };
    } finally {
      await run.close();
    }
  }
}
