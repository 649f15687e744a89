import { expect } from 'chai';
import type { EvaluationCode } from '../../src/model/code/evaluation-code.js';
import { decide } from '../fingerprints/decide.js';
import { ExecutableFile, type Row } from '../fingerprints/executed-project.js';
import {
  editProject,
  type GeneratedProject,
  generateProject,
} from '../fingerprints/generated-project.js';
import { codeOf, graphOf } from '../fingerprints/graph-of.js';
import { patience, randomNumbers, seed, times } from '../helpers/rounds.js';

const editsOfProject = 6;

/** One version of a project: the code of its evaluations, and what they do. */
interface Version {
  readonly file: string;
  readonly executable: ExecutableFile;
  readonly rows: readonly Row[];
  /** By the name under which its file exports it. */
  readonly codeOf: (exportName: string) => EvaluationCode;
}

describe('fingerprints of code', () => {
  it('carry and regrade only what comes out the same', async function () {
    this.timeout(patience);
    const counts = { carry: 0, regrade: 0, run: 0, needed: 0 };
    for (let i = 0; i < times(3); i++) {
      const random = randomNumbers(seed + i);
      const project = generateProject(random);
      let before = await versionsOf(project);
      for (let edit = 0; edit < editsOfProject; edit++) {
        const what = editProject(project, random);
        const after = await versionsOf(project);
        for (const [at, version] of after.entries()) {
          await compare(
            before[at] as Version,
            version,
            `${what}, project ${i}, edit ${edit}`,
            counts,
          );
        }
        before = after;
      }
    }
    const total = counts.carry + counts.regrade + counts.run;
    if (process.env.SHOW_COUNTS) console.error(counts);
    expect(counts.carry).to.be.above(0);
    // A few edits can all be of the kind that runs more than it must.
    const most = total > 2000 ? 0.75 : 0.9;
    expect((counts.run - counts.needed) / total, 'run without need').to.be.below(most);
  });
});

async function versionsOf(project: GeneratedProject): Promise<Version[]> {
  const sources = Object.fromEntries([...project].map(([name, lines]) => [name, lines.join('\n')]));
  const packages = ['pkg-a', 'zod'];
  const versions = Object.fromEntries(
    packages.map((name) => [name, sources[name]?.length + (sources[name] ?? '')]),
  );
  const code = Object.fromEntries(
    Object.entries(sources).filter(([name]) => !packages.includes(name)),
  );
  const graph = graphOf(code, { versions });
  const files = [...project.keys()].filter((name) => name.includes('.eval.'));
  return await Promise.all(
    files.map(async (file) => {
      const executable = await ExecutableFile.bundle(project, file);
      const rows = await executable.run();
      return { file, executable, rows, codeOf: (name: string) => codeOf(graph, name, file) };
    }),
  );
}

async function compare(
  before: Version,
  after: Version,
  edit: string,
  counts: { carry: number; regrade: number; run: number; needed: number },
): Promise<void> {
  for (const now of after.rows) {
    const base = before.rows.find(({ id }) => id === now.id);
    if (base === undefined || base.values !== now.values) continue;
    const { exportName } = now;
    const decision = decide(before.codeOf(exportName), after.codeOf(exportName));
    const of = `${decision} of ${now.id} in ${after.file} after ${edit}`;
    const same = { output: base.output, scores: base.scores };
    const isSame = base.output === now.output && base.scores === now.scores;
    if (decision === 'carry') {
      counts.carry++;
      expect({ output: now.output, scores: now.scores }, of).to.deep.equal(same);
    } else if (decision.startsWith('regrade')) {
      counts.regrade++;
      expect(now.output, of).to.equal(base.output);
      expect(await after.executable.regrade(base), of).to.equal(now.scores);
    } else {
      counts.run++;
      if (!isSame) counts.needed++;
    }
  }
}
