import { expect } from 'chai';
import { AssayError } from '../../../src/errors.js';
import type { Call, ModelExchange, ToolCall } from '../../../src/model/calls/model-call.js';
import { fieldStarts } from '../../../src/model/result-field.js';
import {
  conditionFields,
  isPlannedField,
  parseCondition,
  testOf,
} from '../../../src/model/selection/condition.js';
import { rowFacts } from '../row-facts.js';

const row = rowFacts({
  ...{ id: 'evals/a.eval.ts::faq[q5]~2', trial_of: 'evals/a.eval.ts::faq[q5]', trial: 2 },
  ...{ evaluation: 'evals/a.eval.ts::faq', function: 'faq[q5]', dataset: 'tickets', latency: 1.5 },
  labels: ['smoke', 'slow'],
  status: 'completed',
  scores: [
    { key: 'exact', passed: false },
    { key: 'tone: kind', value: 0.4, passed: true },
  ],
});

const values = {
  input: { question: 'Where is my refund?', n: 7, deep: [{ id: 'x' }] },
  output: 'a = b',
  reference: null,
  metadata: { tier: 'pro', tags: ['a', 'b'], beta: true, 'a.b': '1e3', empty: null },
  calls: [
    call('target', { model: 'nano', response_model: 'nano-2026', tool_calls: [tool('hold')] }),
    call('evaluator:judge', { model: 'large', tool_calls: [tool('grade')] }),
  ],
} satisfies Record<string, unknown>;

function call(role: Call['role'], asked: Partial<ModelExchange>): Call {
  const model_call = { provider: 'openai', operation: 'chat', ...asked };
  return { number: 1, role, method: 'POST', url: 'https://api.openai.com', start: 0, model_call };
}

function tool(name: string): ToolCall {
  return { name, arguments: {} };
}

const holds = (text: string) => testOf(parseCondition(text))(row, () => values);

/** By what is expected. */
const conditions = {
  true: [
    'dataset=tickets',
    'dataset!=orders',
    'label=slow',
    'label!=fast',
    'label~^s',
    'id~q5',
    'id~/Q5/i',
    'file=evals/a.eval.ts',
    'evaluation=evals/a.eval.ts::faq',
    'status=failed',
    'status=completed',
    'latency>=1.5',
    'latency<2',
    'cost=',
    'score.exact=failed',
    'score.tone: kind<.5',
    'score["tone: kind"]=passed',
    'score.none=',
    'metadata.tier=pro',
    'metadata.tags=b',
    'metadata.tags=["a","b"]',
    'metadata.beta=true',
    'metadata["a.b"]>=1000',
    'metadata.empty=',
    'metadata.gone=',
    'input.n=7.0',
    'input.question~refund\\?$',
    'input.deep[0].id=x',
    'input~Where',
    'output=a = b',
    'output!~c',
    'reference=',
    'tool=hold',
    'tool!=grade',
    'model=nano',
    'model=nano-2026',
    'model~^large',
    ' metadata.tier = pro ',
  ],
  false: [
    'dataset!=tickets',
    'label!=slow',
    'latency>1.5',
    'cost>0',
    'cost!=',
    'score.exact=passed',
    'score.none>0',
    'metadata.tier>1',
    'metadata.gone=x',
    'metadata.gone~.',
    'input.n!=7',
    'output!~a',
    'tool=grade',
    'tool=',
  ],
};

describe('a condition', () => {
  for (const [expected, texts] of Object.entries(conditions)) {
    it(`is ${expected} of a result as it says`, () => {
      expect(texts.filter((text) => String(holds(text)) !== expected)).to.deep.equal([]);
    });
  }

  it('says what is wrong with a text that is none', () => {
    const wrong: [string, string][] = [
      ['foo=1', '"foo=1" is not a condition: "foo" is no field.'],
      ['metadata=1', '"metadata=1" is not a condition: "metadata" is no field.'],
      ['dataset', '"dataset" is not a condition: no operator follows dataset.'],
      ['', '"" is not a condition: "" is no field.'],
      ['latency>=fast', '"latency>=fast" compares with "fast", which is no number.'],
      ['id~(', '"id~(": Invalid regular expression: /(/: Unterminated group.'],
    ];
    for (const [text, message] of wrong) {
      expect(() => parseCondition(text))
        .to.throw(AssayError)
        .with.property('message', message);
    }
  });

  it('begins with what fields begin with', () => {
    const forms = conditionFields.split(', ').map((form) => form.split('.', 1)[0]);
    expect(new Set(fieldStarts)).to.deep.equal(new Set(forms));
  });

  it('is planned unless it asks for what came of results', () => {
    const planned = ['id=1', 'file=1', 'label=1', 'input.a=1', 'reference=1', 'metadata.a=1'];
    const outcomes = [
      ...[
        'status=1',
        'latency=1',
        'cost=1',
        'output=1',
        'score.a=1',
        'calls=1',
        'tool=1',
        'model=1',
      ],
    ];
    for (const text of planned) expect(isPlannedField(parseCondition(text).field)).to.equal(true);
    for (const text of outcomes) expect(isPlannedField(parseCondition(text).field)).to.equal(false);
  });
});
