import { Args, Flags } from '@oclif/core';
import { StoreCommand } from '../../cli/store-command.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { importFile, type SavedImport } from '../../importers/import-file.js';
import { countOf, renderCount } from '../../text/count-text.js';

/** Answer of `assay sessions import FILE --json`: the first run, and all runs if the file is of another tool. */
export interface ImportedRunJson extends SavedImport {
  /** Absent for an exported run of assay; so are the next two. */
  readonly tool?: string;
  readonly runs?: readonly SavedImport[];
  /** Names of fields that have no place in a run. */
  readonly unplaced?: readonly string[];
}

export default class SessionsImport extends StoreCommand {
  static override summary = 'Save an exported run JSON, or results of another tool.';
  static override description = [
    'An exported run keeps its id unless a saved run has it, and its session unless another one is named.',
    '',
    'Also reads results of promptfoo (eval -o out.json), Inspect (.eval and .json logs), evalite (its SQLite database), EZVals (run JSON) and Braintrust (events of an experiment). The content of the file decides, not its name.',
  ].join('\n');
  static override examples = [
    '<%= config.bin %> sessions import colleague.json',
    '<%= config.bin %> sessions import nightly.json --session nightly',
    '<%= config.bin %> sessions import promptfoo-out.json --session migration',
  ];
  static override args = {
    file: Args.string({
      description: 'File made by export -f json or run --json, or by another tool.',
      required: true,
    }),
  };
  static override flags = {
    session: Flags.string({ description: 'Session to save it in.', helpValue: 'NAME' }),
  };

  async run(): Promise<ImportedRunJson> {
    const { args, flags } = await this.parse(SessionsImport);
    const store = await this.openResults(flags);
    const options = flags.session === undefined ? {} : { session: flags.session };
    const { runs, of } = await importFile(store, args.file, options);
    if (of !== undefined) {
      const isNew = runs.some(({ was_saved }) => !was_saved);
      const [tool, name] = [of.tool, of.name].map(escapeTerminal);
      const { total, passed, failed, errors } = of.counts;
      const counts = [`${renderCount(passed)} passed`, `${renderCount(failed)} failed`];
      if (errors > 0) counts.push(countOf(errors, 'error'));
      const others = total - passed - failed - errors;
      if (others > 0) counts.push(`${renderCount(others)} no verdict`);
      this.log(
        `${isNew ? 'imported' : 'nothing new in'} ${countOf(total, 'result')} of ${tool} (${name}): ${counts.join(', ')}`,
      );
    }
    for (const { run_id, run_name, session_name, total_evaluations, was_saved } of runs) {
      const [name, session] = [run_name, session_name].map(escapeTerminal);
      const results = countOf(total_evaluations, 'result');
      const saved = was_saved ? 'is there already:' : 'saved as';
      this.log(`${name} (${results}) ${saved} ${run_id} in session ${session}`);
    }
    const [first] = runs;
    if (first === undefined) throw new Error('An import saves a run, or throws.');
    if (of === undefined) return first;
    const { tool, unplaced, note } = of;
    if (unplaced.length > 0) {
      const fields = countOf(unplaced.length, 'field');
      this.log(`${fields} without a place: ${unplaced.map(escapeTerminal).join(', ')}`);
    }
    if (note !== undefined) this.log(escapeTerminal(note));
    return { ...first, tool, runs, unplaced };
  }
}
