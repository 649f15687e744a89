type Clean = () => Promise<void> | void;

const cleaning: Clean[] = [];

/**
 * Does something after each test of the files that come here. Helpers say so here, and not with hooks of their own:
 * they are loaded once in a process that runs many files, and a hook belongs to the file that loaded it first.
 */
export function afterEachTest(clean: Clean): void {
  cleaning.push(clean);
}

/** Hooks of all files, see `.mocharc.cjs`. */
export const mochaHooks = {
  async afterEach(): Promise<void> {
    for (const clean of cleaning) await clean();
  },
};
