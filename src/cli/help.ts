import { CommandHelp, Help } from '@oclif/core';

/** Help of a command with its examples first: what most people look for. */
class CommandHelpWithExamplesFirst extends CommandHelp {
  protected override sections() {
    const sections = super.sections();
    const isExamples = ({ header }: { readonly header: string }) => header === 'EXAMPLES';
    return [...sections.filter(isExamples), ...sections.filter((one) => !isExamples(one))];
  }
}

/** The help of `assay`; named in package.json. */
// oclif takes the default export.
export default class AssayHelp extends Help {
  protected override CommandHelpClass = CommandHelpWithExamplesFirst;
}
