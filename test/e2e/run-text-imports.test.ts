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
        project.write('prompts/greet.md', 'Hello!');
        const second = (await project.run()).result('greets');
        expect(second.output).to.equal('Hello!');
        expect(second.code).to.match(/^[0-9a-f]{16}$/);
        expect(second.code).to.not.equal(first.code);
      });

      it('says what to write when the attribute is missing, or which file is not there, and on which line', async () => {
        const say = (file: string, name: string) =>
          `${file} is no code. To import it as text, write: import text from '${name}' with { type: 'text' }`;
        const project = new Project({
          'package.json': manifest,
          'bare.eval.ts': bare,
          'dynamic.eval.ts': using("const prompt = (await import('./prompts/late.md')).default;"),
          'gone.eval.ts': imported.replace('greet', 'gone'),
          'nested.eval.ts': using("import { prompt } from './prompts/index.js';"),
          'prompts/index.ts': "import text from './greet.txt';\nexport const prompt = text;\n",
          'prompts/greet.txt': 'Hello',
          'prompts/greet.md': 'Say hello to the user',
          'prompts/late.md': 'Hello',
        });
        const { code, stderr } = await project.assay(['run']);
        expect(code).to.equal(2);
        for (const text of [
          'bare.eval.ts could not be imported (line 4',
          say('prompts/greet.md', './prompts/greet.md'),
          say('prompts/late.md', './prompts/late.md'),
          say('prompts/greet.txt', './greet.txt'),
          'prompts/index.ts:1',
          'gone.eval.ts could not be imported (line 4)',
          "Cannot find module './prompts/gone.md'",
        ]) {
          expect(stderr).to.include(text);
        }
      });
    });
  }
});
