import { openStore } from '../../dist/store/store.js';

/** Makes a finished run of so many results of about 1 kB, with so many scores beside the first two; answers with its id. */
export async function makeRun(root, results, name, moreScores = 0) {
  const store = await openStore(root);
  const owner = await store.createRun({
    session_name: name,
    run_name: name,
    path: '.',
    config_name: 'default',
    selection: {},
  });
  const step = 2000;
  for (let first = 0; first < results; first += step) {
    owner.plan(upTo(first, Math.min(step, results - first)).map(planned));
  }
  owner.schedule({ kind: 'run', rows: 'all' });
  for (let first = 0; first < results; first += step) {
    const indices = upTo(first, Math.min(step, results - first));
    owner.finish(indices.map((index) => finished(index, moreScores)));
  }
  await owner.close('finished');
  await owner.run.close();
  return owner.run.runId;
}

function upTo(first, count) {
  return Array.from({ length: count }, (_, position) => first + position);
}

function planned(index) {
  const name = `case_${index}`;
  return {
    index,
    id: `evals/support.eval.ts::${name}`,
    evaluation: `evals/support.eval.ts::${name}`,
    function: name,
    dataset: `dataset-${index % 12}`,
    labels: [`label-${index % 7}`],
    input: `Where is order A-${index}? It was sent on Monday.`,
    reference: { handoff: index % 2 === 0 },
    metadata: {},
  };
}

function finished(index, moreScores) {
  const passed = hash(index) % 10 < 8;
  return {
    index,
    status: 'completed',
    output: words(index, 800),
    scores: [
      { key: 'exact', passed },
      { key: 'politeness', value: (hash(index * 7) % 1000) / 1000 },
      ...upTo(0, moreScores).map((n) => ({ key: `score_${n}`, passed: hash(index + n) % 20 > 0 })),
    ],
    error: null,
    latency: 0.25 * 2 ** ((hash(index * 3) % 700) / 100),
    trace_data: {},
    regradable: true,
  };
}

const list = 'the order was Sent again and nobody knows WHY it did not arrive until Tuesday'.split(
  ' ',
);

function words(index, length) {
  let text = `answer ${index}:`;
  for (let at = 0; text.length < length; at += 1)
    text += ` ${list[hash(index + at) % list.length]}`;
  return text.slice(0, length);
}

function hash(number) {
  let mixed = Math.imul(number + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
