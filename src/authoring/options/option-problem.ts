/** The error for invalid options; `option`: the invalid key, if there is one. */
export class OptionProblem extends Error {
  readonly option: string | undefined;

  constructor(message: string, option?: string) {
    super(message);
    this.option = option;
  }
}
