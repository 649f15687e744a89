import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ServedProject } from '../helpers/served-project.js';

const checkout = new URL('../../', import.meta.url);
const text = readFileSync(new URL('docs/rest-api.md', checkout), 'utf8');
const examples = text.split(/^### /m).flatMap((section) => {
  const script = /^```sh\n(.*?)^```$/ms.exec(section)?.[1];
  return script === undefined ? [] : [{ title: section.split('\n')[0] ?? '', script }];
});

/** Exit codes of curl that say that an example has worked. */
const good = new Map([
  ['`GET /api/events`', 28], // a stream has no end; the example gives up after its time
]);

/** Examples in which a run must not have finished before the second line. */
const whileRunning = ['`POST /api/runs/pause`'];

/** The target waits while the file `hold` is there. */
const evals = `
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
export const review = evaluation({
  cases: Array.from({ length: 100 }, (_, n) => ({ id: String(n), input: n, reference: n })),
  target: async ({ input }) => {
    while (existsSync(new URL('hold', import.meta.url))) await delay(10);
    return input;
  },
  evaluators: [function exact({ output, reference }) { return output === reference; }],
});
`;

describe('examples of the REST API', () => {
  let served: ServedProject;

  before(async () => {
    // Answers of 400 and above fail, and only errors are shown.
    served = await ServedProject.start({
      '.curlrc': 'fail-with-body\nsilent\nshow-error\n',
      'review.eval.ts': evals,
    });
  });

  it('there is one for every operation', () => {
    const { paths } = JSON.parse(readFileSync(new URL('docs/openapi.json', checkout), 'utf8'));
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods as object));
    expect(examples).to.have.length(operations.length);
  });

  for (const { title, script } of examples) {
    it(`that of ${title} works`, async () => {
      const holds = whileRunning.includes(title);
      if (holds) served.project.write('hold', '');
      const { code, output } = await run(script, (await served.active()).run_id, served);
      if (holds) served.project.remove('hold');
      expect(code, output).to.equal(good.get(title) ?? 0);
    });
  }
});

function run(
  script: string,
  runId: string,
  { url, project: { folder } }: ServedProject,
): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    CURL_HOME: folder,
    ASSAY_URL: url,
    RUN_ID: runId,
  };
  const limits = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024, timeout: 60_000 };
  return new Promise((resolve) => {
    execFile('bash', ['-e', '-c', script], limits, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? -1);
      resolve({ code, output: stderr + stdout.slice(0, 2000) });
    });
  });
}
