import { expect } from 'chai';
import { checkKeyPath, keyPathText, parseKeyPath } from '../../src/settings/key-path.js';
import { refusal } from '../store/builders.js';

describe('keys of settings', () => {
  for (const [text, path] of [
    ['trials', ['trials']],
    ['configs.fast.params.model', ['configs', 'fast', 'params', 'model']],
    ['configs."gpt-4.1".trials', ['configs', 'gpt-4.1', 'trials']],
    ['configs.\'a "b"\'.trials', ['configs', 'a "b"', 'trials']],
    ['configs.zwei Wörter.trials', ['configs', 'zwei Wörter', 'trials']],
  ] as const) {
    it(`are taken apart and put together: ${text}`, () => {
      expect(parseKeyPath(text)).to.deep.equal(path);
      expect(parseKeyPath(keyPathText(path))).to.deep.equal(path);
    });
  }

  for (const text of [
    ...['', '.', 'a.', '.a', 'a..b', 'a."b', 'a."b"c', '""', '__proto__', 'a.constructor'],
  ]) {
    it(`are refused when they cannot be read: ${JSON.stringify(text)}`, async () => {
      const error = await refusal(() => parseKeyPath(text));
      expect(error.code).to.equal('usage');
      expect(error.message).to.equal(`${JSON.stringify(text)} is not a key.`);
    });
  }

  for (const text of [
    ...['timeout', 'verbose', 'configs.a.trials', 'configs.a.params.b.c', 'scores.a.threshold'],
    ...['scores."b.c".better', 'views.failing tone.query', 'views.a.columns'],
  ]) {
    it(`can be set: ${text}`, () => {
      expect(() => checkKeyPath(parseKeyPath(text))).to.not.throw();
    });
  }

  for (const [text, hint] of [
    ['trails', 'Did you mean trials?'],
    ['xyzzy', /^Settings: concurrency, /],
    ['trials.x', 'trials has no keys below it.'],
    ['configs', 'Name a config and its key: configs.fast.trials'],
    ['configs.a', 'Name a config and its key: configs.fast.trials'],
    ['config.a.trials', 'Did you mean configs or tsconfig?'],
    ['configs.a.timout', 'Did you mean timeout?'],
    ['configs.a.model', 'A run config has concurrency, timeout, trials, params.'],
    ['configs.a.trials.x', 'trials has no keys below it.'],
    ['scores', 'Name a score and a part of its rule: scores.accuracy.threshold'],
    ['score.a.threshold', 'Did you mean scores?'],
    ['scores.a.treshold', 'Did you mean threshold?'],
    ['scores.a.minimum', 'The rule of a score has threshold, better, scale.'],
    ['scores.a.better.x', 'better has no keys below it.'],
    ['prices', 'Name a model: prices.my-model.input'],
    ['prices.m.cache', 'Did you mean cached?'],
    ['rates.m.request', 'Did you mean requests?'],
    ['prices.m.input.x', 'input has no keys below it.'],
    ['views.a', 'Name a view and a part of it: views.slow.query'],
    ['views.a.colums', 'Did you mean columns?'],
    ['views.a.sort', 'A view has query and columns.'],
    ['views.a.query.x', 'query has no keys below it.'],
    ['configs.a.params', 'Name the param: configs.a.params.model'],
  ] as const) {
    it(`are unknown, with a hint: ${text}`, async () => {
      const error = await refusal(() => checkKeyPath(parseKeyPath(text)));
      expect(error.message).to.equal(`There is no setting ${text}.`);
      expect(error.hints[0]).to.match(
        hint instanceof RegExp ? hint : new RegExp(`^${hint.replace(/[?.]/g, '\\$&')}$`),
      );
    });
  }
});
