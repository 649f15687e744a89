import { expect } from 'chai';
import { print } from '../../../../src/cli/init/from/code.js';
import {
  type Assertion,
  commaValues,
  readCell,
} from '../../../../src/cli/init/from/promptfoo/assertion.js';
import { graderOf } from '../../../../src/cli/init/from/promptfoo/graders.js';
import { readCheck } from '../../../../src/cli/init/from/promptfoo/javascript.js';

const vars = { name: 'Ada', city: "L'Aquila" };

function codeOf(assertion: Assertion): string {
  const made = graderOf(assertion, { vars, hasJudge: true, nameOf: () => 'check1' });
  return typeof made === 'string' ? `TODO ${made}` : print(made.code);
}

describe('an assertion of promptfoo', () => {
  const translated: readonly [assertion: Assertion, code: string][] = [
    [{ type: 'equals', value: 'yes' }, "equals('yes')"],
    [{ type: 'equals', value: 7 }, "equals('7')"],
    [{ type: 'equals', value: { a: [1] } }, 'json(equals({ a: [1] }))'],
    [{ type: 'not-equals', value: { a: 1 } }, 'not(json(equals({ a: 1 })))'],
    [{ type: 'contains', value: '{{ name }}' }, "contains('Ada')"],
    [{ type: 'contains', value: '{{city}}' }, 'contains("L\'Aquila")'],
    [
      { type: 'icontains', value: 'x', metric: 'm' },
      "contains('x', { ignoreCase: true, key: 'm' })",
    ],
    [{ type: 'not-contains', value: 'x', metric: 'm' }, "excludes('x', { key: 'm' })"],
    [{ type: 'not-icontains', value: 'x' }, "excludes('x', { ignoreCase: true })"],
    [{ type: 'contains-any', value: 'a, "b, c"' }, "containsAny('a', 'b, c')"],
    [{ type: 'not-contains-any', value: ['a', 1] }, "excludes('a', '1')"],
    [{ type: 'not-icontains-any', value: ['a'] }, "excludes('a', { ignoreCase: true })"],
    [{ type: 'icontains-all', value: ['a', 'b'] }, "contains('a', 'b', { ignoreCase: true })"],
    [{ type: 'not-contains-all', value: ['a', 'b'] }, "not(contains('a', 'b'))"],
    [{ type: 'starts-with', value: 'Dear' }, "startsWith('Dear')"],
    [{ type: 'regex', value: 'a/\\d+' }, 'matches(/a\\/\\d+/)'],
    [{ type: 'not-regex', value: 'x', metric: 'm' }, "not(matches(/x/), { key: 'm' })"],
    [{ type: 'is-json' }, 'isJson()'],
    [{ type: 'not-is-json' }, 'not(isJson())'],
    [{ type: 'is-json', value: '{"type": "array"}' }, "json(schema({ type: 'array' }))"],
    [{ type: 'contains-json' }, 'containsJson'],
    [{ type: 'levenshtein', value: 'abc' }, "levenshtein('abc')"],
    [{ type: 'levenshtein', value: 'abc', threshold: 2 }, "levenshtein('abc', { max: 2 })"],
    [{ type: 'latency', threshold: 1500 }, 'latency({ max: 1.5 })'],
    [{ type: 'cost', threshold: 0.01 }, 'cost({ max: 0.01 })'],
    [{ type: 'word-count', value: 3 }, 'words({ min: 3, max: 3 })'],
    [{ type: 'word-count', value: { max: 9 } }, 'words({ max: 9 })'],
    [{ type: 'is-refusal' }, 'refuses()'],
    [{ type: 'llm-rubric', value: 'Is it {{name}}?' }, "rubric('Is it Ada?', judge)"],
    [
      { type: 'javascript', value: 'output.length > 3;' },
      'javascript((output) => output.length > 3)',
    ],
    [
      { type: 'javascript', value: '0.5', threshold: 0.4 },
      'javascript((output) => 0.5, { threshold: 0.4 })',
    ],
    [{ type: 'javascript', value: 'const a = 1;\nreturn a' }, 'javascript(check1)'],
  ];
  for (const [assertion, code] of translated) {
    it(`${JSON.stringify(assertion)} is ${code}`, () => {
      expect(codeOf(assertion)).to.equal(code);
    });
  }

  const left: readonly Assertion[] = [
    { type: 'similar', value: 'x' },
    { type: 'not-similar', value: 'x' },
    { type: 'python', value: 'True' },
    { type: 'contains', value: '' },
    { type: 'contains', value: 'file://x.txt' },
    { type: 'contains', value: '{{ name | upper }}' },
    { type: 'contains', value: 'x', transform: 'output.a' },
    { type: 'contains-any', value: [] },
    { type: 'contains-any', value: '"a' },
    { type: 'regex', value: '(' },
    { type: 'not-regex', value: '(' },
    { type: 'is-json', value: { required: ['a'] } },
    { type: 'is-json', value: { type: ['object', 'string'] } },
    { type: 'is-json', value: { type: 'object', properties: { a: { format: 'email' } } } },
    { type: 'not-contains-json' },
    { type: 'contains-json', value: { type: 'object' } },
    { type: 'javascript', value: 'file://check.js' },
    { type: 'javascript', value: 'require("fs")' },
    { type: 'javascript', value: 'context.prompt' },
    { type: 'javascript', value: 'output ===' },
    { type: 'llm-rubric', value: 'x', threshold: 0.5 },
    { type: 'llm-rubric', value: 'x', provider: 'openai:gpt-4.1' },
    { type: 'latency' },
    { type: 'toString', value: 'x' },
  ];
  for (const assertion of left) {
    it(`${JSON.stringify(assertion)} has no translation`, () => {
      expect(codeOf(assertion)).to.match(/^TODO /);
    });
  }
});

describe('a cell of __expected', () => {
  const cells: readonly [cell: string, assertion: Assertion][] = [
    ['Paris', { type: 'equals', value: 'Paris' }],
    ['note: this', { type: 'equals', value: 'note: this' }],
    ['contains: Paris', { type: 'contains', value: 'Paris' }],
    ['not-icontains:x', { type: 'not-icontains', value: 'x' }],
    ['contains-all: a, b', { type: 'contains-all', value: ['a', 'b'] }],
    ['is-json', { type: 'is-json', value: undefined }],
    ['fn: output.length', { type: 'javascript', value: 'output.length' }],
    ['grade:kind', { type: 'llm-rubric', value: 'kind' }],
    ['levenshtein(3): a', { type: 'levenshtein', value: 'a', threshold: 3 }],
    ['similar:a', { type: 'similar', value: 'a', threshold: 0.8 }],
  ];
  for (const [cell, assertion] of cells) {
    it(`${cell} is ${assertion.type}`, () => {
      expect(readCell(cell)).to.deep.equal(assertion);
    });
  }

  it('has commas inside of quotes', () => {
    expect(commaValues('a,, "b, ""c""", d ')).to.deep.equal(['a', 'b, "c"', 'd']);
    expect(commaValues('"a" b')).to.equal(undefined);
  });
});

describe('JavaScript of promptfoo', () => {
  const checks: readonly [given: string, code: string][] = [
    ['output.split(" ").every(w => w)', 'output.split(" ").every((w: any) => w)'],
    [
      'JSON.parse(output).some((a, i = 0) => a)',
      'JSON.parse(output).some((a: any, i: any = 0) => a)',
    ],
    ['const n = {}; n.a = 1; n.a > 0', 'const n: any = {}; n.a = 1; return n.a > 0'],
    [
      'for (const a of output) {\n  if (a) return true;\n}',
      'for (const a of output) {\n  if (a) return true;\n}',
    ],
    ['({ pass: true })', '({ pass: true })'],
  ];
  for (const [given, code] of checks) {
    it(`gets the types that ${given} lacks`, () => {
      expect(readCheck(given)).to.have.property('code', code);
    });
  }
});
