import { expect } from 'chai';
import { Chalk } from 'chalk';
import { renderVariants, renderVariantsMarkdown } from '../../../src/cli/compare/variants-table.js';
import type { EvalCase } from '../../../src/compare/cases/eval-case.js';
import {
  compareVariants,
  type VariantComparison,
} from '../../../src/compare/variants/compare-variants.js';
import { comparedRun, passed, verdicts } from '../../compare/eval-cases.js';

interface Given {
  readonly model: string;
  readonly prompt: string;
  /** Case n fails if n × `stride` modulo 200 is below it. */
  readonly failed: number;
  readonly stride: number;
  readonly cost: number;
  readonly latency: number;
}

const given: readonly Given[] = [
  { model: 'large', prompt: 'v14', failed: 40, stride: 1, cost: 0.007, latency: 2.31 },
  { model: 'large', prompt: 'v15', failed: 26, stride: 1, cost: 0.0076, latency: 2.52 },
  { model: 'swift', prompt: 'v14', failed: 58, stride: 3, cost: 0.0014, latency: 0.81 },
  { model: 'swift', prompt: 'v15', failed: 34, stride: 3, cost: 0.0016, latency: 0.93 },
];

function casesOf({ failed, stride, cost, latency }: Given): EvalCase[] {
  return Array.from({ length: 200 }, (_, at) =>
    passed(`${at}`, (at * stride) % 200 < failed ? 0 : 1, 1, {
      latency,
      usage: { calls: 1, tokens: 100, cost },
    }),
  );
}

function compared(): VariantComparison {
  const [base, ...others] = given.map((one) =>
    comparedRun(`${one.model} ${one.prompt}`, casesOf(one), {
      params: { model: one.model, prompt: one.prompt },
    }),
  );
  if (base === undefined) throw new Error('four are given');
  return compareVariants(base, others);
}

const textAt = (columns: number, comparison = compared()) =>
  renderVariants(comparison, { columns, colours: new Chalk({ level: 0 }) });

const wide = `\
      variant     passed   95 %        against base           p       $/case      p50
      large v14   80.0 %   73.9–85.0   base                            .0070   2.31 s
  ◆   large v15   87.0 %   81.6–91.0   +7.0 (+3.2 to +10.7)   <.001    .0076   2.52 s
  ◆   swift v15   83.0 %   77.2–87.6   +3.0 (−4.0 to +10.0)   .48      .0016   0.93 s
  ◆   swift v14   71.0 %   64.4–76.8   −9.0 (−16.3 to −1.5)   .049     .0014   0.81 s

  prompt v14 → v15   +9.5 (+6.6 to +12.2)     model large → swift   −6.5 (−12.4 to −0.5)

  large v15, best of 4: expect 86.7 % when run again

  ◆ nothing cheaper passes as much · p is adjusted for the number of variants`;

const narrow = `\
     variant    passed  95 %       against base          p      $/case     p50
     large v14  80.0 %  73.9–85.0  base                          .0070  2.31 s
  ◆  large v15  87.0 %  81.6–91.0  +7.0 (+3.2 to +10.7)  <.001   .0076  2.52 s
  ◆  swift v15  83.0 %  77.2–87.6  +3.0 (−4.0 to +10.0)  .48     .0016  0.93 s
  ◆  swift v14  71.0 %  64.4–76.8  −9.0 (−16.3 to −1.5)  .049    .0014  0.81 s

  prompt v14 → v15   +9.5 (+6.6 to +12.2)
  model large → swift   −6.5 (−12.4 to −0.5)

  large v15, best of 4: expect 86.7 % when run again

  ◆ nothing cheaper passes as much · p is adjusted for the number of variants`;

const markdown = `\
|  | variant | passed | 95 % | against base | p | \\$/case | p50 |
| --- | --- | --: | --- | --- | --- | --: | --: |
|  | large v14 | 80.0 % | 73.9–85.0 | base |  | .0070 | 2.31 s |
| ◆ | large v15 | 87.0 % | 81.6–91.0 | +7.0 (+3.2 to +10.7) | &lt;.001 | .0076 | 2.52 s |
| ◆ | swift v15 | 83.0 % | 77.2–87.6 | +3.0 (−4.0 to +10.0) | .48 | .0016 | 0.93 s |
| ◆ | swift v14 | 71.0 % | 64.4–76.8 | −9.0 (−16.3 to −1.5) | .049 | .0014 | 0.81 s |

- prompt v14 → v15   +9.5 (+6.6 to +12.2)
- model large → swift   −6.5 (−12.4 to −0.5)

large v15, best of 4: expect 86.7 % when run again

◆ nothing cheaper passes as much · p is adjusted for the number of variants
`;

describe('the table of variants', () => {
  it('has a line for each, the base first, then those that pass most', () => {
    expect(textAt(120)).to.equal(wide);
    expect(textAt(80)).to.equal(narrow);
    expect(renderVariantsMarkdown(compared())).to.equal(markdown);
  });

  it('cuts names, and then leaves out p50, intervals and cost, where there is no room', () => {
    const names = (text: string) => text.split('\n')[0]?.trim().split(/ {2,}/);
    expect(names(textAt(74))).to.deep.equal([
      'variant',
      'passed',
      '95 %',
      'against base',
      'p',
      '$/case',
    ]);
    expect(names(textAt(64))).to.deep.equal(['variant', 'passed', 'against base', 'p', '$/case']);
    expect(names(textAt(54))).to.deep.equal(['variant', 'passed', 'against base', 'p']);
    for (const columns of [54, 60, 80, 120]) {
      const widths = textAt(columns)
        .split('\n')
        .map((line) => line.length);
      expect(Math.max(...widths)).to.be.at.most(columns);
    }
  });

  it('says what is not known, and leaves out what no variant has', () => {
    const usage = { calls: 1, tokens: 10, cost: null };
    const comparison = compareVariants(comparedRun('a\u001b[31m', verdicts('++--')), [
      comparedRun('b', verdicts('+++-'), { unfinished: 2 }),
      comparedRun(
        'c',
        verdicts('++--').map((one) => ({ ...one, usage })),
      ),
      comparedRun(
        'd',
        verdicts('++--').map((one) => ({ ...one, usage: { ...usage, least: 0.5 } })),
      ),
      comparedRun('e', []),
    ]);
    expect(textAt(80, comparison)).to.equal(`\
     variant      passed  against base            p                 $/case
     a\\u{1b}[31m  50.0 %  base
  ◆  b            75.0 %  +25.0 (−38.3 to +71.7)  too little data
     c            50.0 %  0.0 (−46.2 to +46.2)    1                unknown
     d            50.0 %  0.0 (−46.2 to +46.2)    1                  ≥ .50
     e                 –  –

  b, best of 4: expect 70.0 % when run again

  ◆ nothing cheaper passes as much · p is adjusted for the number of variants

  no verdicts: e
  results that have not finished: 2 of b
  cases with calls of unknown cost: 4 of c, 4 of d
  no calls recorded: a\\u{1b}[31m, b`);
  });
});
