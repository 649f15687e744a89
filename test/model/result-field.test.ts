import { expect } from 'chai';
import {
  fieldText,
  parseResultField,
  type ResultField,
  resultFieldText,
} from '../../src/model/result-field.js';

const result = {
  metadata: { tier: 'gold', 'a.b': 1, 'a=b': 2, none: null },
  input: { city: { name: 'Wien' } },
  output: [{ id: 7, tags: ['x', 'y'] }],
  reference: 'line\nline',
};

describe('fields of results', () => {
  for (const [text, shown] of [
    ['metadata.tier', 'gold'],
    ['metadata["a.b"]', '1'],
    ['metadata["a=b"]', '2'],
    ['metadata.none', null],
    ['metadata.a.b', null],
    ['metadata.constructor', null],
    ['input.city', '{"name":"Wien"}'],
    ['input.city.name', 'Wien'],
    ['input.city.name.length', null],
    ['input[0]', null],
    ['output[0].id', '7'],
    ['output[0].tags[1]', 'y'],
    ['output[1].id', null],
    ['reference', 'line line'],
  ] as const) {
    it(`${text} is ${shown}`, () => {
      const field = parseResultField(text) as ResultField;
      expect(resultFieldText(field)).to.equal(text);
      expect(fieldText(result, field)).to.equal(shown);
    });
  }

  it('are nothing else', () => {
    const texts = [
      ...['', 'metadata', 'metadata.', 'inputs.a', 'input..a', 'input[a]', 'input["a]'],
      ...['error.x'],
    ];
    for (const text of texts) expect(parseResultField(text), text).to.equal(undefined);
  });

  it('are cut at 200 characters', () => {
    const metadata = { long: 'long '.repeat(100) };
    const field = parseResultField('metadata.long') as ResultField;
    expect(fieldText({ ...result, metadata }, field)).to.have.length.at.most(200);
  });
});
