import { expect } from 'chai';
import { Project } from '../helpers/project.js';

const using = (how: string) => `
import { evaluation } from 'assay';

${how}
export const greets = evaluation({ target: () => prompt }, (ctx) => ctx.score(ctx.output.length > 0));
`;
const imported = using("import prompt from './prompts/greet.md' with { type: 'text' };");
const bare = using("import prompt from './prompts/greet.md';");
const manifests = { module: '{ "type": "module" }', commonjs: '{ "type": "commonjs" }' };

describe('text imported into eval files', () => {
  for (const [kind, manifest] of Object.entries(manifests)) {
    describe(`in a package of type ${kind}`, () => {
      it('is code: editing it gives its results another hash', async () => {
        const project = new Project({
          'package.json': manifest,
          'a.eval.ts': imported,
          'prompts/greet.md': 'Hello',
        });
        const first = (await project.run()).result('greets');
        expect(first.output).to.equal('Hello');
        expect((await project.run()).result('greets').code).to.equal(first.code);
        project.write('prompts/greet.md', 'Hello!');
        const second = (await project.run()).result('greets');
        expect(second.output).to.equal('Hello!');
        expect(second.code).to.match(/^[0-9a-f]{16}$/);
        expect(second.code).to.not.equal(first.code);
      });

      it('says what to write when the attribute is missing, and on which line', async () => {
        const project = new Project({
          'package.json': manifest,
          'a.eval.ts': bare,
          'prompts/greet.md': 'Say hello to the user',
        });
        const { code, stderr } = await project.assay(['run']);
        expect(code).to.equal(2);
        expect(stderr).to.include('a.eval.ts could not be imported (line 4');
        expect(stderr).to.include(
          "prompts/greet.md is no code. To import it as text, write: import text from './prompts/greet.md' with { type: 'text' }",
        );
      });

      it('names the file that is not there', async () => {
        const project = new Project({ 'package.json': manifest, 'a.eval.ts': imported });
        const { code, stderr } = await project.assay(['run']);
        expect(code).to.equal(2);
        expect(stderr).to.include('(line 4)');
        expect(stderr).to.include("Cannot find module './prompts/greet.md'");
      });
    });
  }

  it('says what to write when a file that the eval file imports leaves the attribute out', async () => {
    const project = new Project({
      'a.eval.ts': using("import { prompt } from './prompts/index.js';"),
      'prompts/index.ts': "import text from './greet.txt';\nexport const prompt = text;\n",
      'prompts/greet.txt': 'Hello',
    });
    const { stderr } = await project.assay(['run']);
    expect(stderr).to.include(
      "prompts/greet.txt is no code. To import it as text, write: import text from './greet.txt' with { type: 'text' }",
    );
    expect(stderr).to.include('prompts/index.ts:1');
  });

  it('says the same for a dynamic import', async () => {
    const project = new Project({
      'a.eval.ts': using("const prompt = await import('./prompts/greet.md');"),
      'prompts/greet.md': 'Hello',
    });
    const { stderr } = await project.assay(['run']);
    expect(stderr).to.include(
      "prompts/greet.md is no code. To import it as text, write: import text from './prompts/greet.md' with { type: 'text' }",
    );
  });
});
