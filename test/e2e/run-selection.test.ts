import { expect } from 'chai';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';

const support = `
import { evaluation } from 'assay';
export const upsell = evaluation({ labels: ['sales'] }, () => {});
export const refund = evaluation({
  dataset: 'customer-service',
  labels: ['smoke'],
  cases: [
    { id: 'polite', input: 'please', metadata: { tier: 'pro' } },
    { id: 'angry', input: 'NOW', labels: ['tone'] },
  ],
}, () => {});
export const cancel = evaluation({ labels: ['smoke', 'sales'] }, () => {});
`;

const agent = `
import { evaluation } from 'assay';
export const greets = evaluation({ labels: ['tone'] }, () => {});
export default evaluation({ dataset: 'customer-service' }, () => {});
`;

const refundIds = ['evals/support.eval.ts::refund[polite]', 'evals/support.eval.ts::refund[angry]'];
const supportIds = ['evals/support.eval.ts::upsell', ...refundIds, 'evals/support.eval.ts::cancel'];
const agentIds = ['evals/deep/agent.eval.mts::greets', 'evals/deep/agent.eval.mts::default'];
const rootIds = ['zero.eval.js::last'];
const allIds = [...agentIds, ...supportIds, ...rootIds];

describe('assay run: what runs', () => {
  let project: Project;

  before(() => {
    project = new ProjectWithoutHosts({
      'evals/support.eval.ts': support,
      'evals/deep/agent.eval.mts': agent,
      'zero.eval.js': `import { evaluation } from 'assay';
        export const last = evaluation({}, () => {});`,
      'evals/helper.ts': 'throw new Error("not an eval file");',
      '.hidden/a.eval.ts': 'throw new Error("in a dot folder");',
      'node_modules/dependency/a.eval.ts': 'throw new Error("in node_modules");',
    });
  });

  /** Ids that a command would run. */
  async function idsOf(...args: string[]): Promise<string[]> {
    const { code, stdout, stderr } = await project.assay(['run', ...args, '--list']);
    expect(code, stderr).to.equal(0);
    return stdout.split('\n').flatMap((line) => line.split('  ')[0] || []);
  }

  it('is what names, patterns and conditions select, as they are printed', async () => {
    const [polite, angry] = refundIds;
    const selections: [string[], (string | undefined)[]][] = [
      [['refund[polite]'], [polite]],
      [['refund[polite]~1'], [polite]],
      [['refund'], refundIds],
      [
        ['refund[*y]', 'greets'],
        [agentIds[0], angry],
      ],
      [['evals/support.eval.ts::refund[*]'], refundIds],
      [['-t', 'refund|last$', '-t', 'polite'], [polite]],
      [['--where', 'metadata.tier=pro'], [polite]],
      [['--where', 'input~^N', '--where', 'label=tone'], [angry]],
      [
        ['--where', 'dataset!=customer-service', '--label', 'sales'],
        [supportIds[0], supportIds[3]],
      ],
      [
        ['--sample', '2', '--seed', '3', '--label', 'smoke'],
        [angry, supportIds[3]],
      ],
    ];
    for (const [args, expected] of selections) {
      expect(await idsOf(...args), args.join(' ')).to.deep.equal(expected);
    }
  });

  it('says what a name or a condition cannot select', async () => {
    const refusals: [string[], string][] = [
      [['refunds'], 'No such path: refunds. Did you mean refund'],
      [['--where', 'status=failed'], 'asks for what comes of results'],
      [['--where', 'tier=pro'], '"tier" is no field.'],
      [['-t', '('], 'Invalid regular expression'],
      [['--seed', '1'], '--sample'],
    ];
    for (const [args, text] of refusals) {
      const { code, stderr } = await project.assay(['run', ...args, '--list']);
      expect(code, args.join(' ')).to.equal(2);
      expect(stderr.replace(/\n */g, ' ')).to.include(text);
    }
  });

  it('is what --list shows', async () => {
    const args = ['evals', 'zero.eval.js', '--label', 'tone', '--dataset', 'zero,customer-service'];
    const [listed, run] = await Promise.all([
      idsOf(...args, '--trials', '2'),
      project.assay(['run', ...args, '--trials', '2', '--no-save', '--json']),
    ]);
    expect(listed).to.deep.equal([`${refundIds[1]}~1`, `${refundIds[1]}~2`]);
    expect(run.json().results.map((entry) => entry.id)).to.deep.equal(listed);
  });

  // What paths, names and filters mean is tested with the functions that find files and select evaluations.
  it('is everything below the working directory, or what paths, names and filters leave', async () => {
    expect(await idsOf()).to.deep.equal(allIds);
    const paths = [
      '*.eval.js',
      './evals/',
      'evals/support.eval.ts::cancel',
      '--ignore',
      '**/*.mts',
    ];
    expect(await idsOf(...paths)).to.deep.equal([...supportIds, ...rootIds]);
    const lists = [
      ...['--dataset', 'customer-service,zero', '--dataset', 'agent'],
      ...['--label', 'tone', '--label', 'sales'],
    ];
    expect(await idsOf(...lists)).to.deep.equal([agentIds[0], refundIds[1]]);
    const first = ['evals', '--ignore', '**/*.mts', '--limit=2', '--trials', '2'];
    expect(await idsOf(...first)).to.deep.equal(
      [0, 1].flatMap((at) => [`${supportIds[at]}~1`, `${supportIds[at]}~2`]),
    );
  });

  it('can be made by labels and datasets with commas, quotes and blanks, in a rerun too', async () => {
    const odd = new ProjectWithoutHosts({
      'a::b.eval.ts': `
        import { evaluation } from 'assay';
        const target = () => 1;
        export const one = evaluation({ labels: ['a,b', ' sp '], dataset: 'data, set', target });
        export const other = evaluation({ labels: ['a', '-dash', '"q"'], name: '-x::y', target });
      `,
    });
    const ids = { one: 'a::b.eval.ts::one', other: 'a::b.eval.ts::-x::y' };
    await odd.run();
    for (const [args, id] of [
      [['--label', 'a\\,b'], ids.one],
      [['--dataset', "'data, set'"], ids.one],
      [['--label', '-dash'], ids.other],
      [[ids.other], ids.other],
    ] as const) {
      const { stdout } = await odd.assay(['run', ...args, '--list']);
      expect(stdout.split('\n')[0], args.join(' ')).to.match(new RegExp(`^${id}( |$)`));
    }
    const { code, stdout } = await odd.assay(['run', '--rerun', 'latest', '--label', 'a\\,b']);
    expect([code, stdout]).to.deep.equal([0, '']);
  });

  it('has ids relative to the working directory', async () => {
    const args = ['run', '../zero.eval.js', '.', '--no-save', '--json'];
    const { code, stderr, json } = await project.assay(args, { cwd: 'evals' });
    expect(code, stderr).to.equal(0);
    expect(json().results.map((entry) => entry.id)).to.deep.equal([
      '../zero.eval.js::last',
      ...[...agentIds, ...supportIds].map((id) => id.replace('evals/', '')),
    ]);
  });

  it('is said to be nothing, with what there is, and exits 2', async () => {
    const args = ['run', '--label', 'smok', '--json'];
    const { code, stdout, stderr } = await project.assay(args);
    expect(stderr).to.match(/label smok; there are: .*smoke/);
    expect(code).to.equal(2);
    expect(JSON.parse(stdout)).to.have.nested.property('error.message');
    expect(project.has('.assay')).to.equal(false);
  });
});

describe('assay run: names and order', () => {
  it('are those of the file, each evaluation once, whatever its names hold', async () => {
    const project = new ProjectWithoutHosts({
      'odd.eval.ts': `import { evaluation } from 'assay';
        const last = evaluation({ name: 'z last' }, () => {});
        export default evaluation({}, () => {});
        export const zebra = evaluation({}, () => {});
        export const zebraAgain = zebra;
        export const list = [
          evaluation({ name: 'in a list::[x]~1' }, () => {}),
          evaluation({ name: 'größe, 日本' }, () => {}),
        ];
        export const apple = evaluation({ cases: [{}, { id: 'a]~2' }, { id: 7 }, {}] }, () => {});
        export { last };
        export const notOne = { name: 'notOne' };`,
    });
    const functions = [
      'z last',
      'default',
      'zebra',
      'in a list::[x]~1',
      'größe, 日本',
      'apple[0]',
      'apple[a]~2]',
      'apple[7]',
      'apple[3]',
    ];
    const run = await project.assay(['run', '--json', '--trials', '2']);
    expect(run.json().results.map((entry) => entry.id)).to.deep.equal(
      functions.flatMap((name) => [`odd.eval.ts::${name}~1`, `odd.eval.ts::${name}~2`]),
    );
    const odd = functions.filter((name) => /[~,]|default/.test(name));
    const picked = await project.assay([
      ...['run', '--list', '--json'],
      ...odd.map((name) => `odd.eval.ts::${name}`),
    ]);
    const { evaluations } = JSON.parse(picked.stdout) as { evaluations: { function: string }[] };
    expect(evaluations.map((one) => one.function)).to.have.members(odd);
    expect(evaluations).to.have.lengthOf(odd.length);
  });
});

describe('assay run --list', () => {
  it('shows ids, datasets and labels, and runs and saves nothing', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': `import { evaluation } from 'assay';
        import { appendFileSync } from 'node:fs';
        export const one = evaluation({ labels: ['x', 'y'] }, () => appendFileSync('ran', '1'));
        export const two = evaluation({ dataset: 'other', trials: 2 }, () => appendFileSync('ran', '1'));
        export const three = evaluation({ skip: true }, () => {});`,
    });
    const [text, json] = await Promise.all([
      project.assay(['run', '--list']),
      project.assay(['run', '--list', '--json']),
    ]);
    expect(text.code).to.equal(0);
    expect(text.stdout).to.equal(
      'a.eval.ts::one  a #x #y\na.eval.ts::two~1  other\na.eval.ts::two~2  other\n',
    );
    expect(text.stderr).to.equal('3 would run, 1 skipped\n');
    expect(JSON.parse(json.stdout)).to.deep.equal({
      evaluations: [
        { id: 'a.eval.ts::one', function: 'one', dataset: 'a', labels: ['x', 'y'] },
        ...[1, 2].map((trial) => ({
          id: `a.eval.ts::two~${trial}`,
          function: 'two',
          dataset: 'other',
          labels: [],
          trial,
          trial_of: 'a.eval.ts::two',
        })),
      ],
      skipped: 1,
    });
    expect(project.has('ran')).to.equal(false);
    expect(project.has('.assay')).to.equal(false);
  });
});

describe('assay run: skip and only', () => {
  const marked = (options: string) => `
    import { evaluation } from 'assay';
    export const plain = evaluation({}, () => {});
    export const cases = evaluation({ cases: [{ id: 'a' }, { id: 'b', ${options} }] }, () => {});`;

  it('leaves skipped cases out and says how many', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': marked('skip: true') });
    const { code, stderr, json } = await project.assay(['run', '--json']);
    expect(code).to.equal(0);
    expect(json().results.map((entry) => entry.function)).to.deep.equal(['plain', 'cases[a]']);
    expect(stderr).to.match(/1 skipped/);
    const { code: none, stderr: said } = await project.assay(['run', 'a.eval.ts::cases[b]']);
    expect(none).to.equal(2);
    expect(said).to.match(/skipped/);
  });

  it('runs just what is marked only, which CI does not accept unless told to', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': marked('only: true') });
    const [here, ci, allowed, other] = await Promise.all([
      project.assay(['run', '--json', '--no-save']),
      project.assay(['run'], { env: { CI: 'true' } }),
      project.assay(['run', '--json', '--no-save', '--allow-only'], { env: { CI: 'true' } }),
      project.assay(['run', 'a.eval.ts::plain', '--no-save'], { env: { CI: 'true' } }),
    ]);
    expect(here.json().results.map((entry) => entry.function)).to.deep.equal(['cases[b]']);
    expect(here.stderr).to.match(/only/i);
    expect(ci.code).to.equal(2);
    expect(ci.stderr).to.match(/cases\[b\] is marked `only`[\s\S]*--allow-only/);
    expect(allowed.code).to.equal(0);
    expect(allowed.json().results).to.have.lengthOf(1);
    expect(other.code, other.stderr).to.equal(0);
    expect(project.has('.assay')).to.equal(false);
  });
});
