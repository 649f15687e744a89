import { CommandHelp, Help } from '@oclif/core';

/** Command help that begins with the examples, which most people look for. */
class CommandHelpWithExamplesFirst extends CommandHelp {
  protected override sections() {
    const sections = super.sections();
    const isExamples = ({ header }: { readonly header: string }) => header === 'EXAMPLES';
    return [...sections.filter(isExamples), ...sections.filter((one) => !isExamples(one))];
  }
}

/** The help of `assay`; named in package.json. */
// oclif expects a default export.
export default class AssayHelp extends Help {
  protected override CommandHelpClass = CommandHelpWithExamplesFirst;

  /** Help for a command that there is not is answered like the command itself. */
  override async showHelp(argv: string[]): Promise<void> {
    try {
      await super.showHelp(argv);
    } catch (error) {
      const [, id] = /^Command (.+) not found\.$/.exec((error as Error).message) ?? [];
      if (id === undefined) throw error;
      await this.config.runHook('command_not_found', { id, argv });
    }
  }
}
