import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';
import { linkPackages } from '../helpers/project-folder.js';

const guide = readFileSync(
  fileURLToPath(new URL('../../docs/graders.md', import.meta.url)),
  'utf8',
);

/** An agent whose model asks for two tools, and a judge. */
const agent = `
export const askModel = (prompt) => supportAgent(prompt);
export async function supportAgent(input) {
  const messages = [{ role: 'user', content: input }];
  const body = JSON.stringify({ model: 'gpt-5-mini', messages });
  const answer = await fetch(process.env.PROVIDER + '/v1/chat/completions', { method: 'POST', body });
  return (await answer.json()).choices[0].message.content;
}
`;

describe('the examples of docs/graders.md', () => {
  it('pass', async () => {
    const call = (name: string) => ({ id: name, name, arguments: { order: 'A-20417' } });
    const toolCalls = [call('findOrder'), call('refund')];
    const provider = await startFakeProvider(({ request }) => {
      const prompt = request.body.toString();
      const shorter = /output A:\\nBEGIN \w+\\nThank/.test(prompt) ? 'B' : 'A';
      const word = prompt.includes('PASS or FAIL') ? 'PASS' : shorter;
      const isJudge = prompt.includes('VERDICT: and');
      return isJudge ? { text: `REASONS: It says so.\nVERDICT: ${word}` } : { text: '', toolCalls };
    });
    const examples = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ''], i) => [
      `example-${i}.eval.ts`,
      code,
    ]);
    const project = new Project({ 'agent.js': agent, ...Object.fromEntries(examples) });
    linkPackages(project.folder, ['zod', 'ajv']);
    const { run } = await project.run([], { env: { PROVIDER: provider.url } });
    const failed = run.results.flatMap(({ id, result: { error, scores } }) => [
      ...(error === null ? [] : [`${id}: ${error}`]),
      ...scores.flatMap(({ key, passed, notes }) =>
        passed === true ? [] : [`${id}: ${key}: ${notes}`],
      ),
    ]);
    expect(failed).to.deep.equal([]);
    expect(run.results).to.have.lengthOf([...guide.matchAll(/^export const /gm)].length);
    const { scores = [] } = run.results.at(0)?.result ?? {};
    expect(scores.map(({ key }) => key)).to.deep.equal(['equals', 'contains', 'words']);
    expect(scores.at(-1)).to.deep.include({ value: 5, better: 'lower' });
  });
});
