/** Why options cannot be used; `option` is the key at fault when there is one. */
export class OptionProblem extends Error {
  readonly option: string | undefined;

  constructor(message: string, option?: string) {
    super(message);
    this.option = option;
  }
}
