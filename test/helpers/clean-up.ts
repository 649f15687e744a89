type Clean = () => Promise<void> | void;

/** In this order: what uses something goes before what it uses. */
const afterFile = { pages: [], servers: [], projects: [] } satisfies Record<string, Clean[]>;
const afterTest: Clean[] = [];

/** Does something after each test of the files that come here, such as removing folders. */
export function afterEachTest(clean: Clean): void {
  afterTest.push(clean);
}

/** Does something after each test file. */
export function afterEachFile(what: keyof typeof afterFile, clean: Clean): void {
  (afterFile[what] as Clean[]).push(clean);
}

/**
 * Hooks of all files, see `.mocharc.cjs`. Helpers use these, and not hooks of their own: they are loaded once in a process
 * that runs many files, and a hook belongs to the file that loaded it first.
 */
export const mochaHooks = {
  async afterEach(): Promise<void> {
    for (const clean of afterTest) await clean();
  },
  async afterAll(): Promise<void> {
    for (const clean of Object.values<Clean[]>(afterFile).flat()) await clean();
  },
};
