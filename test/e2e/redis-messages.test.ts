import { expect } from 'chai';
import { Project, until } from '../helpers/project.js';
import { heldCases, RedisUnderTest, startWorker, workHere } from '../helpers/redis.js';
import { ServedProject } from '../helpers/served-project.js';

const files = (name: string) => ({ ...heldCases(name, 4), 'package-lock.json': '{}' });

describe('what runs and workers on Redis say', function () {
  this.timeout(180_000);
  let redis: RedisUnderTest;
  let url: string;

  before(async () => {
    redis = await RedisUnderTest.start();
    ({ url } = redis);
  });

  /** Begins a run of a server; answers with what waits until it has said something, and with how often. */
  async function begin(project: Project) {
    const served = await ServedProject.start(project, { redis: url, runName: 'nightly' });
    await served.post('/api/runs/rerun');
    const count = (text: RegExp) => served.warnings.filter((one) => text.test(one)).length;
    return {
      count,
      said: (text: RegExp) => until(() => count(text) > 0, String(text)),
      finished: () => served.until(({ state }) => state === 'finished'),
    };
  }

  async function untilShown(project: Project, text: RegExp): Promise<void> {
    let shown = '';
    for (const end = performance.now() + 60_000; !text.test(shown); ) {
      if (performance.now() > end) throw new Error(`it is not ${text}: ${shown}`);
      shown = (await project.assay(['workers', '--redis', url])).stdout;
    }
  }

  it('names what evaluations require and no worker offers', async () => {
    const project = new Project({
      ...files('offers'),
      'b.eval.ts': `
        import { evaluation } from 'assay';
        export const heavy = evaluation({
          cases: [{ id: 'a' }, { id: 'b' }],
          requires: ['gpu'],
          target: () => 1,
          evaluators: [() => true],
        });
      `,
      go: '',
    });
    await workHere(project, { url, name: 'plain' });
    const { said, count, finished } = await begin(project);
    await said(
      /^No worker offers gpu: 2 evaluations in the queue wait\. Start one: assay worker --redis \S+ --offers gpu$/,
    );
    await untilShown(project, / · 2 jobs waiting, 0 running · no worker offers gpu\n/);
    await workHere(project, { url, name: 'strong', offers: ['gpu'] });
    expect(await finished()).to.include({ total_evaluations: 6, total_passed: 6 });
    expect(count(/No worker offers/)).to.equal(1);
  });

  it('says that the last worker has left, which finishes what it runs, and lists the run that waits', async () => {
    const project = new Project(files('alone'));
    const one = await startWorker(project, { url, flags: ['--name', 'only'] });
    const { said, count, finished } = await begin(project);
    await one.said(/^worker only · 2 slots .*\njoins nightly\n/);
    await untilShown(project, /only +2 of 2/);
    one.child.kill('SIGINT');
    await one.said(/Stopping\. 2 evaluations will finish first/);
    project.write('go', '');
    expect((await one.ended).code).to.equal(130);
    await untilShown(project, /^No worker at redis:\S+ Start one: .*\n\n {2}run nightly · \d job/);
    await said(/^No worker takes part any more; the run waits\. Start one in /);
    await workHere(project, { url, name: 'next' });
    expect(await finished()).to.include({ total_evaluations: 4, total_passed: 4 });
    expect(count(/any more/)).to.equal(1);
  });

  it('says on both sides why a worker refuses, after the worker has said who it is', async () => {
    const same = {
      ...files('differ'),
      'word.ts': `export { word } from 'words';`,
      'node_modules/words/package.json': '{ "name": "words", "version": "2.0.0" }',
      'node_modules/words/index.js': `exports.word = 'word';`,
    };
    const project = new Project({ ...same, go: '' });
    const { said, finished } = await begin(project);
    await said(/^No worker takes part yet/);
    const other = (name: string, text: string) => new Project({ ...same, [name]: text });
    const lacking = new Project(same);
    lacking.remove('word.ts');
    for (const [where, name, reason, env] of [
      [
        other('package-lock.json', '{ "a": 1 }'),
        'lock',
        'package-lock.json differs in its checkout',
      ],
      [other('word.ts', `export const word = 'w';`), 'word', 'word.ts differs in its checkout'],
      [lacking, 'lacking', 'word.ts is missing in its checkout'],
      [
        other('tsconfig.json', '{ "compilerOptions": { "experimentalDecorators": true } }'),
        'options',
        'compiler options \\(tsconfig.json\\), or the type in package.json, differ in its checkout',
      ],
      [
        other('node_modules/words/package.json', '{ "name": "words", "version": "1.0.0" }'),
        'packages',
        'the package words is 1.0.0 in its checkout, and 2.0.0 in the run',
      ],
      [
        project,
        'cases',
        'the eval files have other cases, or other options of cases, in its checkout',
        { CASES: '3' },
      ],
    ] as const) {
      const { events } = await workHere(where, { url, name, ...(env && { env }) });
      await said(new RegExp(`^Worker ${name} refuses the run: ${reason}\\.$`));
      const all = events.filter(({ type }) => type !== 'changed');
      expect(all.map(({ type }) => type)).to.deep.equal(['ready', 'refused']);
    }
    const one = await startWorker(lacking, { url, flags: ['--name', 'shown'] });
    await one.said(/^worker shown .*\n! refuses nightly: word.ts is missing in its checkout\n/);
    await workHere(project, { url, name: 'good' });
    expect(await finished()).to.include({ total_passed: 4 });
  });

  it('lets no worker run a case that has other values in its checkout, and gives it to another', async () => {
    const withInput = (input: string) =>
      new Project({
        'package.json': '{ "name": "values", "type": "module" }',
        'a.eval.ts': `
          import { evaluation, fromJsonl } from 'assay';
          export const same = evaluation({
            cases: fromJsonl('cases.jsonl'),
            target: ({ input }) => input,
            evaluators: [({ output }) => output === 'new'],
          });
        `,
        'cases.jsonl': JSON.stringify({ id: 'a', input }),
      });
    const { said, finished, count } = await begin(withInput('new'));
    await said(/^No worker takes part yet/);
    const { events } = await workHere(withInput('old'), { url, name: 'stale' });
    await said(
      /^Worker stale refuses the run: the input, reference or metadata of a\.eval\.ts::same\[a\] differ in/,
    );
    await workHere(withInput('new'), { url, name: 'good' });
    expect(await finished()).to.include({ total_passed: 1 });
    const all = events.map(({ type }) => type).filter((type) => type !== 'changed');
    expect(all.slice(0, 3)).to.deep.equal(['ready', 'joined', 'refused']);
    expect(count(/refuses/)).to.equal(1);
  });
});
