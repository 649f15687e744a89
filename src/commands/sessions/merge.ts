import { Args, Flags } from '@oclif/core';
import { makeTemporaryResults, type TemporaryResults } from '../../cli/run/temporary-results.js';
import { StoreCommand } from '../../cli/store-command.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { friendlyName } from '../../runner/planning/plan-run.js';
import { findParts, type MergedRun, mergeParts } from '../../store/merge/merge-parts.js';
import type { NamedFolder } from '../../store/merge/part-log.js';
import { countOf } from '../../text/count-text.js';

/** Answer of `assay sessions merge RUN… --json`: a run, or a group of runs. */
export type MergedRunJson =
  | MergedRun
  | { readonly group: string; readonly runs: readonly MergedRun[] };

export default class SessionsMerge extends StoreCommand {
  static override summary = 'Make one run of the parts that run --shard made.';
  static override description =
    'All parts must be there, once each, and of the same cases, settings and code. They stay as they are. Parts of variants become a group of runs.';
  static override usage = 'sessions merge RUN... [FLAGS]';
  static override examples = [
    '<%= config.bin %> sessions merge parts/*',
    '<%= config.bin %> sessions merge part-1.json part-2.json --name nightly',
  ];
  static override args = {
    runs: Args.string({
      description:
        'Parts: ids, names of runs or groups, run folders, exported run JSON, or folders with runs.',
      multiple: true,
      required: true,
    }),
  };
  static override flags = {
    name: Flags.string({
      description: 'Name of the run, or of the group. Default: that of the parts.',
      helpValue: 'NAME',
    }),
    session: Flags.string({
      description: 'Session of the run. Default: that of the parts.',
      helpValue: 'NAME',
    }),
  };

  async run(): Promise<MergedRunJson> {
    const { args, flags } = await this.parse(SessionsMerge);
    const store = await this.openResults(flags);
    let temporary: TemporaryResults | undefined;
    const scratch = () => {
      temporary ??= makeTemporaryResults();
      return temporary.folder;
    };
    try {
      const folders: NamedFolder[] = [];
      for (const reference of args.runs) {
        for (const one of (await store.findGroup(reference)) ?? [reference]) {
          folders.push(...(await findParts(store, one, { cwd: process.cwd(), scratch })));
        }
      }
      const { problems, group, runs } = await mergeParts(store.root, folders, {
        makeName: friendlyName,
        name: flags.name,
        sessionName: flags.session,
      });
      this.noteProblems(problems);
      for (const run of runs) this.log(savedText(run));
      const [first] = runs;
      if (group === undefined && first !== undefined) return first;
      this.log(`${countOf(runs.length, 'run')} in group ${escapeTerminal(group ?? '')}`);
      return { group: group ?? '', runs };
    } finally {
      temporary?.remove();
    }
  }
}

function savedText(run: MergedRun): string {
  const [name, session] = [run.run_name, run.session_name].map(escapeTerminal);
  const what = `${countOf(run.total_evaluations, 'result')} of ${countOf(run.parts, 'part')}`;
  return `${name} (${what}) saved as ${run.run_id} in session ${session}`;
}
