import { expect } from 'chai';
import { Project } from '../../helpers/project.js';
import { countingModel, recordingsIn } from '../../helpers/recordings.js';

const evals = (prompts: Readonly<Record<string, string>>) => `
  import { evaluation } from 'assay';
  const ask = (system: string) => evaluation({
    cases: [{ id: 'x', input: 'one' }, { id: 'y', input: 'two' }],
    target: async ({ input }) => {
      const response = await fetch(process.env.PROVIDER + '/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: [{ role: 'system', content: system }, { role: 'user', content: input }] }),
      });
      const answer = (await response.json()) as any;
      if (!response.ok) throw new Error(answer.error.message);
      return answer.choices[0].message.content;
    },
  });
  ${Object.entries(prompts)
    .map(([name, prompt]) => `export const ${name} = ask(${JSON.stringify(prompt)});`)
    .join('\n')}
`;

describe('files of recordings', () => {
  const model = countingModel();

  const outputs = async (project: Project, flag: string) => {
    const { run } = await project.run([flag], { env: model.env });
    return run.results.map(({ result }) => result.output ?? result.error);
  };

  it('stay as they are when they are recorded again, and only what is new is asked for', async () => {
    const project = new Project({ 'a.eval.ts': evals({ greet: 'Be kind.', part: 'Be short.' }) });
    const first = await outputs(project, '--record');
    const before = recordingsIn(project.path('.assay/recordings'));
    expect(await outputs(project, '--record')).to.deep.equal(first);
    expect(recordingsIn(project.path('.assay/recordings'))).to.deep.equal(before);
    expect(model.asked).to.equal(4);
    project.write('a.eval.ts', evals({ greet: 'Be kind.', part: 'Be long.' }));
    const edited = await project.run(['--record'], { env: model.env });
    const [x, y, ...changed] = edited.run.results.map(({ result }) => result.output);
    expect([x, y]).to.deep.equal(first.slice(0, 2));
    expect(changed).to.deep.equal(['answer 5', 'answer 6']);
    expect(edited.stderr).to.include('2 recordings were not asked for by their cases. To remove');
    const both = recordingsIn(project.path('.assay/recordings'));
    expect(both).to.include(before);
    expect(Object.keys(both)).to.have.length(6);
    const kept = project.copy();
    const pruned = await kept.assay(['recordings', 'prune', '--unused-by', 'latest', '--yes']);
    expect(pruned.stdout).to.equal('2 exchanges removed\n');
    // All is asked for anew; what is asked for no more stays until somebody prunes it.
    expect(new Set(await outputs(project, '--record=all'))).to.have.property('size', 4);
    expect(model.asked).to.equal(10);
    const anew = recordingsIn(project.path('.assay/recordings'));
    expect(Object.keys(anew)).to.deep.equal(Object.keys(both));
  });
});
