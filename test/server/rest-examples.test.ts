import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { makeProject, removeProjects } from '../helpers/project.js';
import { closeServers, ServedProject } from '../helpers/served-project.js';

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

describe('examples of the REST API', () => {
  let served: ServedProject;

  before(async () => {
    // Answers of 400 and above fail, and only errors are shown.
    const project = makeProject({ '.curlrc': 'fail-with-body\nsilent\nshow-error\n' });
    const paths = [fileURLToPath(new URL('examples/sentiment', checkout))];
    served = await ServedProject.start(project, { paths });
  });
  after(async () => {
    await closeServers();
    removeProjects();
  });

  it('there is one for every operation', () => {
    const { paths } = JSON.parse(readFileSync(new URL('docs/openapi.json', checkout), 'utf8'));
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods as object));
    expect(examples).to.have.length(operations.length);
  });

  for (const { title, script } of examples) {
    it(`that of ${title} works`, async () => {
      const { code, output } = await run(script, served);
      expect(code, output).to.equal(good.get(title) ?? 0);
    });
  }
});

function run(
  script: string,
  { url, project: { folder } }: ServedProject,
): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, CURL_HOME: folder, ASSAY_URL: url };
  const limits = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024, timeout: 15_000 };
  return new Promise((resolve) => {
    execFile('bash', ['-e', '-c', script], limits, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? -1);
      resolve({ code, output: stderr + stdout.slice(0, 2000) });
    });
  });
}
