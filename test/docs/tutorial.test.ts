import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';
import { linkPackages } from '../helpers/project-folder.js';

const whole = readFileSync(new URL('../../docs/tutorial.md', import.meta.url), 'utf8');
// What installs the package is above the first step.
const page = whole.slice(whole.indexOf('\n## 1.'));
const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({
    language,
    text,
  }),
);

/** What a model says that keeps to the facts of its instructions. */
function fromFacts(instructions: string, question: string): string {
  const facts = instructions.split(/[.\n]/).map((fact) => fact.trim());
  const topic = /express|refund|money|arrive/i.exec(question)?.[0].toLowerCase() ?? '';
  const word = { money: 'refund', arrive: 'delivery takes' }[topic] ?? topic;
  return facts.find((fact) => word !== '' && fact.toLowerCase().includes(word)) ?? 'I do not know';
}

const words = (line: string) => line.trim().replace(/\s+/g, ' ');

/** The arguments of a command line of the shell. */
const argumentsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

describe('docs/tutorial.md', () => {
  let provider: FakeProvider;
  let project: Project;
  let env: Readonly<Record<string, string>>;

  before(async () => {
    provider = await startFakeProvider(({ json }) => ({
      text: fromFacts(String(json.instructions), String(json.input)),
    }));
    project = new Project();
    env = { OPENAI_BASE_URL: `${provider.url}/v1` };
  });

  /** Does one line of a shell; what it prints. */
  async function perform(line: string): Promise<string> {
    const [command = '', remark = ''] = line.split(/ +# /);
    const [program, ...args] = argumentsOf(command);
    if (program === 'npm') {
      expect(args.shift()).to.equal('install');
      linkPackages(project.folder, args);
      return '';
    }
    if (program === 'export') {
      const [, name = ''] = /^(\w+)=…$/.exec(args.join()) ?? [];
      env = { ...env, [name]: 'a key' };
      return '';
    }
    if (program === 'unset') {
      env = Object.fromEntries(Object.entries(env).filter(([name]) => !args.includes(name)));
      return '';
    }
    expect(`${program} ${args.shift()}`).to.equal('npx assay');
    const { code, stdout, stderr } = await project.assay(args, { env });
    expect(code, `${line}: ${stderr}`).to.equal(remark === 'exit code 1' ? 1 : 0);
    return stdout + stderr;
  }

  it('does what it says from the first block to the last', async () => {
    let printed = '';
    let gates = 0;
    for (const { language, text } of blocks) {
      if (language === 'sh') {
        printed = '';
        for (const line of text.trim().split('\n')) printed += await perform(line);
      } else if (language === '') {
        const lines = printed.split('\n').map(words);
        expect(lines).to.include.members(text.split('\n').map(words));
      } else {
        const [, file = ''] = /^(?:\/\/|#) (\S+)\n/.exec(text) ?? [];
        expect(file, text).to.match(/\.(ts|ya?ml)$/);
        project.write(file, text);
        if (!file.startsWith('.github/')) continue;
        const steps: { run?: string }[] = parse(text).jobs.evals.steps;
        const gate = steps.at(-1)?.run ?? '';
        gates += (await perform(gate)).includes('5 passed') ? 1 : 0;
      }
    }
    expect(gates).to.equal(1);
    // Each case was asked for once, while there was a key.
    expect(provider.exchanges).to.have.length(5);
  });
});
