/**
 * What is measured. `name` is what `--only` takes; `evals` how many results a run has; `milliseconds` how long each waits;
 * `bytes` the size of each output. `goal`: `times` `node -e 0`, in `yards`, both of medians, and MB of the parent; `ideal`:
 * seconds that are taken off before.
 */
export const workloads = [
  { name: 'node', title: '`node -e 0`' },
  { name: 'yard', title: '200,000 records written and read by plain Node' },
  {
    name: 'version',
    title: '`assay --version`',
    goal: { times: 2.2 },
  },
  {
    name: 'one',
    title: 'one trivial eval',
    evals: 1,
    peers: true,
    goal: { yards: 0.42 },
  },
  {
    name: 'edited',
    title: 'one trivial eval, file just edited',
    evals: 1,
    edited: true,
  },
  {
    name: '1000',
    title: '1,000 trivial evals',
    evals: 1_000,
    peers: true,
    goal: { yards: 0.58 },
  },
  {
    name: '10000',
    title: '10,000 trivial evals',
    evals: 10_000,
    peers: true,
    goal: { yards: 1.25 },
  },
  {
    name: '50ms',
    title: '1,000 × 50 ms, concurrency 100 (ideal 0.5 s)',
    evals: 1_000,
    milliseconds: 50,
    concurrency: 100,
    ideal: 0.5,
    peers: true,
    goal: { yards: 0.5 },
  },
  {
    name: '1kb-1000',
    title: '1,000 results of 1 kB',
    evals: 1_000,
    bytes: 1_000,
  },
  {
    name: '1kb-100000',
    title: '100,000 results of 1 kB',
    evals: 100_000,
    bytes: 1_000,
    goal: { yards: 9, megabytes: 200 },
  },
];

/** The source of the system under test, the same for every tool: returns its input, after a wait or padded when asked to. */
export function targetSource({ milliseconds, bytes }) {
  if (milliseconds) {
    return `const answer = async (n: number): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
  return n;
};`;
  }
  if (bytes) return `const answer = (n: number): string => String(n).padEnd(${bytes}, 'x');`;
  return 'const answer = (n: number): number => n;';
}
