import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { openStore } from '../../src/store/store.js';
import { ProjectWithoutHosts } from '../helpers/project.js';
import { runProblems } from '../helpers/run-shape.js';

/** That of autoevals for words of one length that differ in single letters, without what autoevals takes to load. */
const levenshtein = `
function Levenshtein({ output, expected }) {
  const same = [...output].filter((letter, at) => letter === expected[at]);
  return { name: 'Levenshtein', score: same.length / expected.length };
}`;

/** Scores 1, .75, .5 and 0, with what the evaluation says of its scores. */
const distances = (options: string, evaluate = 'evaluation') => `
import { evaluation } from 'assay';
${levenshtein}
const shared = evaluation.extend({ scores: { Levenshtein: { threshold: 0.9 } } });
export const spelling = ${evaluate}({
  ${options}
  cases: ['same', 'some', 'sole', 'wxyz'].map((input) => ({ id: input, input, expected: 'same' })),
  target: (ctx) => ctx.input,
  evaluators: [Levenshtein],
});
`;

/** What is said of each case under a key. */
function scores(run: RunJson, key: string) {
  return run.results.map(({ result }) => result.scores.find((score) => score.key === key));
}

function verdicts(run: RunJson, key = 'Levenshtein') {
  return scores(run, key).map((score) => score?.passed);
}

describe('scores with thresholds', () => {
  it('judge the values of a scorer, and --only failed finds what is below', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': distances('scores: { Levenshtein: { threshold: 0.75 } },'),
    });
    const { run, code } = await project.run();
    expect(code).to.equal(0);
    expect(runProblems(run)).to.deep.equal([]);
    expect(scores(run, 'Levenshtein')).to.deep.equal([
      { key: 'Levenshtein', passed: true, value: 1, threshold: 0.75 },
      { key: 'Levenshtein', passed: true, value: 0.75, threshold: 0.75 },
      { key: 'Levenshtein', passed: false, value: 0.5, threshold: 0.75 },
      { key: 'Levenshtein', passed: false, value: 0, threshold: 0.75 },
    ]);
    expect(run.total_passed).to.equal(2);
    const only = ['--only', 'failed', '--fail-on', 'failures'];
    const again = await project.assay(['run', '--rerun', 'latest', ...only]);
    expect(again.code).to.equal(1);
    expect(again.stderr).to.contain('2 results');
    const rows = again.stderr.match(/spelling\[\w+\](?= )/g);
    expect(rows).to.deep.equal(['spelling[sole]', 'spelling[wxyz]']);
  });

  it('come from the settings file, shared options, the evaluation and the case, the nearest first', async () => {
    const project = new ProjectWithoutHosts({
      'assay.yaml': 'scores:\n  Levenshtein: { threshold: 0.1 }\n',
      'a.eval.ts': distances(''),
      'b.eval.ts': distances('', 'shared'),
      'c.eval.ts': distances('scores: { Levenshtein: { threshold: 0.5 } },', 'shared'),
      'd.eval.ts': distances('scores: { Levenshtein: { threshold: 0.5 } },', 'shared').replace(
        "expected: 'same' }",
        "expected: 'same', scores: input === 'wxyz' ? { Levenshtein: { threshold: 0 } } : undefined }",
      ),
    });
    const { run } = await project.run();
    expect(verdicts(run)).to.deep.equal([
      ...[true, true, true, false],
      ...[true, false, false, false],
      ...[true, true, true, false],
      ...[true, true, true, true],
    ]);
  });

  it('make the label of a judge count for pass@k', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': judged });
    const { run } = await project.run(['--trials', '2']);
    expect(run.total_errors).to.equal(0);
    expect(scores(run, 'Tone').map((score) => [score?.value, score?.passed])).to.deep.equal([
      [1, true],
      [0.5, false],
      [0.5, false],
      [0, false],
    ]);
    expect(scores(run, 'Tone')[0]).to.deep.include({ threshold: 0.6, notes: 'because' });
    expect(run).to.include({ trials: 2, pass_at_k: 0.5, pass_all_k: 0 });
    expect(run.trial_statistics?.flaky).to.equal(1);
  });

  it('of today judge a regrade, and what people enter after it', async () => {
    const project = new ProjectWithoutHosts({
      'a.eval.ts': distances('scores: { Levenshtein: { threshold: 0.9 } },'),
    });
    const { run } = await project.run();
    project.write('a.eval.ts', distances('scores: { Levenshtein: { threshold: 0.5 } },'));
    const regraded = await project.run(['--regrade', run.run_id]);
    expect(verdicts(regraded.run)).to.deep.equal([true, true, true, false]);
    expect(scores(regraded.run, 'Levenshtein')[0]).to.include({ threshold: 0.5 });
    const stored = await (await openStore(project.path('.assay/sessions'))).openRun(run.run_id);
    const edited = await stored.edit(3, { scores: [{ key: 'Levenshtein', value: 0.6 }] });
    await stored.close();
    expect(edited.result.scores).to.deep.equal([
      { key: 'Levenshtein', passed: true, value: 0.6, threshold: 0.5, source: 'human' },
    ]);
  });
});

/** A judge of autoevals that asks a server in the file itself: of each case, the second answer is one grade lower. */
const judged = `
import { createServer } from 'node:http';
import { evaluation } from 'assay';
import { LLMClassifierFromTemplate } from 'autoevals';
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => { text += chunk; });
  request.on('end', () => {
    const choice = /answer: (\\w+)/.exec(text)[1];
    const args = JSON.stringify({ reasons: 'because', choice });
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'select_choice', arguments: args } }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls } }] }));
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
server.unref();
const grades = ['good', 'fair', 'bad'];
const judge = LLMClassifierFromTemplate({
  name: 'Tone',
  promptTemplate: 'answer: {{output}}',
  choiceScores: { good: 1, fair: 0.5, bad: 0 },
  useCoT: true,
});
export const tone = evaluation({
  scores: { Tone: { threshold: 0.6 } },
  cases: [0, 1].map((input) => ({ input })),
  target: (ctx) => grades[ctx.input + ctx.trial - 1],
  evaluators: [
    function Tone({ output }) {
      return judge({ output, openAiApiKey: 'none', openAiBaseUrl: 'http://127.0.0.1:' + server.address().port });
    },
  ],
});
`;
