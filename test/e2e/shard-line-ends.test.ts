import { expect } from 'chai';
import { Project } from '../helpers/project.js';

const files = {
  'a.eval.ts': `
    import { evaluation } from 'assay';
    import { double } from './double.ts';
    export const numbers = evaluation({
      cases: [1, 2, 3, 4].map((input) => ({ id: String(input), input })),
      target: ({ input }) => double(input),
    });
  `,
  'double.ts': '// Twice.\nexport const double = (n) => n * 2;\n',
};

describe('parts of checkouts with other line ends', () => {
  it('are parts of the same whole', async () => {
    const windows = Object.entries(files).map(([name, text]) => [
      name,
      text.replaceAll('\n', '\r\n'),
    ]);
    const [one, two] = [new Project(files), new Project(Object.fromEntries(windows))];
    await one.run(['--shard', '1/2', '--results-dir', one.path('part')]);
    await two.run(['--shard', '2/2', '--results-dir', two.path('part')]);
    const { code, stderr } = await one.assay([
      ...['sessions', 'merge', one.path('part'), two.path('part'), '--name', 'whole'],
    ]);
    expect(code, stderr).to.equal(0);
    expect((await one.exported('whole')).run.total_evaluations).to.equal(4);
  });
});
