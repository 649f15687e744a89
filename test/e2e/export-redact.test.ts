import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Project } from '../helpers/project.js';

const evals = `
import { evaluation } from 'assay';
export const asked = evaluation({
  params: { model: 'large' },
  cluster: 'who',
  cases: [
    { id: 'a', input: 'the-input', reference: 'the-reference', metadata: { who: 'the-metadata' }, labels: ['kept'] },
    { id: 'b', input: 'other', reference: 'other', metadata: { who: 'the-metadata' } },
  ],
  target: ({ input }) => ({ said: 'the-output of ' + input }),
  evaluators: [function exact({ output }) { return { passed: false, notes: 'the-notes on ' + output.said }; }],
});
export const broken = evaluation({}, () => { throw new Error('the-error'); });
`;

/** The text of a report that its page reads. */
function carriedBy(report: string): string {
  const packed = [...report.matchAll(/data-file="[^"]+">([^<]*)</g)];
  return packed.map(([, text = '']) => gunzipSync(Buffer.from(text, 'base64')).toString()).join('');
}

describe('exports without some values', () => {
  const all = 'input,output,reference,metadata,notes,error';
  let project: Project;

  before(async () => {
    project = new Project({ 'a.eval.ts': evals });
    const { stderr } = await project.assay(['run', '--param', 'model=large,swift']);
    expect(stderr).to.include('2 runs in group');
  });

  const written = async (file: string, ...args: readonly string[]) => {
    const { code, stderr } = await project.assay(['export', 'swift', '-o', file, ...args]);
    expect(code, stderr).to.equal(0);
    return project.read(file);
  };

  for (const file of ['a.json', 'a.csv', 'a.md', 'a.otlp.jsonl', 'a.html']) {
    it(`have none of them in ${file}`, async () => {
      const text = await written(file, '--redact', all);
      const said = file.endsWith('html') ? carriedBy(text) : text;
      expect(said).not.to.match(/the-(input|output|reference|metadata|notes|error)/);
      expect(said).to.match(/asked/);
    });
  }

  it('have the others, and the same figures', async () => {
    const { results, ...head } = JSON.parse(await written('b.json', '--redact', 'input'));
    const whole = JSON.parse(await written('c.json'));
    expect(head.summary).to.deep.equal(whole.summary);
    const [{ result }] = results;
    expect(result).to.include({ input: '[redacted]', reference: 'the-reference' });
    expect(result.scores[0].notes).to.equal('the-notes on the-output of the-input');
    // It cannot be graded again: graders would see another input.
    expect(results[0]).not.to.have.property('regradable');
  });

  it('are possible for all runs of a group', async () => {
    const group = JSON.parse(await written('d.json')).group;
    const { stdout } = await project.assay(['export', group, '--redact', all]);
    expect(stdout).to.include('[redacted]').and.not.to.include('the-input');
    await project.assay(['export', group, '-o', 'e.html', '--redact', all]);
    expect(carriedBy(project.read('e.html'))).not.to.include('the-input');
  });

  it('and reports have the results that are selected, unless an outcome decides which', async () => {
    const report = carriedBy(await written('f.html', '--label', 'kept'));
    expect(report).to.include('the-input').and.not.to.include('the-error');
    const { code, stderr } = await project.assay([
      ...['export', 'swift', '-o', 'g.html', '--where', 'status=failed'],
    ]);
    expect(code).to.equal(2);
    expect(stderr).to.include('a report shows their rates');
    expect(project.has('g.html')).to.equal(false);
  });

  it('name what can be left out', async () => {
    const { code, stderr } = await project.assay(['export', 'swift', '--redact', 'inputs']);
    expect(code).to.equal(2);
    expect(stderr).to.match(/--redact takes input, output, reference, metadata, notes/);
  });
});
