import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from './measure.mjs';
import { targetSource } from './workloads.mjs';

const noNetwork = fileURLToPath(new URL('./preload/no-network.cjs', import.meta.url));
const offline = { NODE_OPTIONS: `--require=${JSON.stringify(noNetwork)}` };

const peers = {
  braintrust: { packages: ['braintrust'], set: setBraintrust },
  evalite: { packages: ['evalite', 'vitest'], set: setEvalite },
  promptfoo: { packages: ['promptfoo'], set: setPromptfoo },
};

/** The rows of a workload for every peer that is installed under `installed`, each with a project of its own under `root`. */
export function peerRows(workload, root, installed) {
  const rows = [];
  for (const [name, { packages, set }] of Object.entries(peers)) {
    const folders = packages.map((name) => join(installed, 'node_modules', name));
    if (!folders.every((folder) => existsSync(folder))) continue;
    const cwd = join(root, `${name}-${workload.name}`);
    // A real folder with links in it: what a peer keeps in node_modules stays in its project
    mkdirSync(join(cwd, 'node_modules'), { recursive: true });
    packages.forEach((name, i) => {
      symlinkSync(folders[i], join(cwd, 'node_modules', name), 'junction');
    });
    writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
    const { version } = JSON.parse(readFileSync(join(folders[0], 'package.json'), 'utf8'));
    const output = join(cwd, 'output.txt');
    rows.push({ tool: `${name} ${version}`, workload, cwd, output, ...set(workload, cwd, output) });
  }
  return rows;
}

/** Stores nothing: with `--no-send-logs` it prints a summary and forgets. */
function setBraintrust(workload, cwd, output) {
  writeFileSync(
    join(cwd, 'bench.eval.ts'),
    `import { Eval } from 'braintrust';

${targetSource(workload)}

Eval('bench', {
  data: () => Array.from({ length: ${workload.evals} }, (_, n) => ({ input: n, expected: n })),
  task: (n) => answer(n),
  scores: [({ output, expected }) => ({ name: 'exact', score: output === expected ? 1 : 0 })],${
    workload.concurrency ? `\n  maxConcurrency: ${workload.concurrency},` : ''
  }
});
`,
  );
  return {
    command: [
      process.execPath,
      join(cwd, 'node_modules/braintrust/dist/cli.js'),
      ...['eval', '--no-send-logs', '--no-progress-bars', 'bench.eval.ts'],
    ],
    env: offline,
    verify: () => expectOutput(output, /100(\.\d+)?\s*%/),
  };
}

/** Stores in SQLite. Its concurrency is Vitest's, 5 unless configured. */
function setEvalite(workload, cwd, output) {
  writeFileSync(
    join(cwd, 'bench.eval.ts'),
    `import { evalite } from 'evalite';

${targetSource(workload)}

evalite('bench', {
  data: () => Array.from({ length: ${workload.evals} }, (_, n) => ({ input: n, expected: n })),
  task: async (n) => answer(n),
  scorers: [{ name: 'exact', scorer: ({ output, expected }) => (output === expected ? 1 : 0) }],
});
`,
  );
  if (workload.concurrency) {
    writeFileSync(
      join(cwd, 'evalite.config.ts'),
      `export default { maxConcurrency: ${workload.concurrency} };\n`,
    );
  }
  return {
    command: [
      process.execPath,
      join(cwd, 'node_modules/evalite/dist/bin.js'),
      ...['run', 'bench.eval.ts'],
    ],
    env: offline,
    prepare: () => rmSync(join(cwd, 'node_modules/.evalite'), { recursive: true, force: true }),
    verify: () => expectOutput(output, /Score\s+100%/),
  };
}

/** Stores in SQLite, here in a folder of its own. Its concurrency is 4 unless asked for more. */
function setPromptfoo(workload, cwd, output) {
  const answer = targetSource(workload).replaceAll(/: (number|Promise<number>)/g, '');
  writeFileSync(
    join(cwd, 'provider.mjs'),
    `${answer}

export default class Provider {
  id() {
    return 'bench';
  }
  async callApi(prompt) {
    return { output: String(await answer(Number(prompt))) };
  }
}
`,
  );
  const tests = Array.from({ length: workload.evals }, (_, n) => ({
    vars: { n: String(n) },
    assert: [{ type: 'equals', value: String(n) }],
  }));
  writeFileSync(join(cwd, 'tests.json'), JSON.stringify(tests));
  writeFileSync(
    join(cwd, 'promptfooconfig.yaml'),
    "prompts: ['{{n}}']\nproviders: ['file://provider.mjs']\ntests: file://tests.json\n",
  );
  const store = join(cwd, 'store');
  const program = [process.execPath, join(cwd, 'node_modules/promptfoo/dist/src/entrypoint.js')];
  const env = {
    ...offline,
    PROMPTFOO_CONFIG_DIR: store,
    PROMPTFOO_DISABLE_REMOTE_GENERATION: 'true',
    PROMPTFOO_DISABLE_SHARING: 'true',
    PROMPTFOO_DISABLE_TELEMETRY: 'true',
    PROMPTFOO_DISABLE_UPDATE: 'true',
  };
  return {
    command: [
      ...program,
      ...['eval', '--no-cache', '--no-share', '--no-progress-bar'],
      ...(workload.concurrency ? ['--max-concurrency', String(workload.concurrency)] : []),
    ],
    env,
    prepare: () => rmSync(store, { recursive: true, force: true }),
    verify: async () => {
      // What it prints is no proof: after 10,000 it may exit, with 0, before its summary is out
      const file = join(cwd, 'exported.json');
      const command = [...program, 'export', 'eval', 'latest', '-o', file];
      await runProcess({ command, cwd, env, output: `${output}.export` });
      const { stats } = JSON.parse(readFileSync(file, 'utf8')).results;
      if (stats.successes !== workload.evals) {
        throw new Error(`Expected ${workload.evals} stored successes, found ${stats.successes}`);
      }
    },
  };
}

function expectOutput(output, pattern) {
  const text = readFileSync(output, 'utf8');
  if (!pattern.test(text)) throw new Error(`Expected ${pattern} in:\n${text.slice(-2000)}`);
}
