import { expect } from 'chai';
import { imageUrl } from '../../../src/model/calls/message-parts.js';
import { frameText } from '../../../src/text/stack-frame.js';
import { caseText } from '../../../ui/src/result/case-text.js';
import { readMessages, readTraced } from '../../../ui/src/result/conversation/read-messages.js';
import { cutAt, findDifferences } from '../../../ui/src/result/diff/differences.js';
import { readError } from '../../../ui/src/result/error/read-error.js';
import { readCorrection } from '../../../ui/src/result/history/read-correction.js';
import {
  comparedAs,
  comparedTexts,
  sameValue,
  stretchesOf,
} from '../../../ui/src/result/output/compared.js';
import {
  differingPlaces,
  type Paired,
  pairedLines,
  pairValues,
} from '../../../ui/src/result/output/paired-values.js';
import { webUrl } from '../../../ui/src/result/values/safe-url.js';
import { hasColumns } from '../../../ui/src/result/values/text-lines.js';
import { isOpenAtFirst } from '../../../ui/src/result/values/tree-shape.js';
import { describeSeen, isMarkdown, seen } from '../../../ui/src/result/values/value-kind.js';
import { printedText, visibleText } from '../../../ui/src/result/values/visible-text.js';

describe('values of a result', () => {
  it('are seen as what they are', () => {
    expect(seen(null).kind).to.equal('nothing');
    expect(seen('plain words').kind).to.equal('text');
    expect(seen('# Title\n\nwords').kind).to.equal('markdown');
    expect(seen('{"a":1}')).to.deep.include({ kind: 'tree', isText: true });
    expect(seen('{ not json }').kind).to.equal('text');
    expect(seen({ a: 1 })).to.deep.include({ kind: 'tree', isText: false });
    expect(seen([{ role: 'user', content: 'hi' }]).kind).to.equal('conversation');
    expect(seen([{ role: 'user' }]).kind).to.equal('tree');
    expect(seen('data:image/png;base64,AAAA').kind).to.equal('image');
    expect(seen(false)).to.deep.equal({ kind: 'word', text: 'false' });
  });

  it('are said to have the messages that were given, however many lines they are drawn as', () => {
    const call = { name: 'find', args: { q: 1 } };
    const anthropic = [
      { role: 'user', content: 'Where is it?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'First the orders.' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a', name: 'find', input: {} },
          { type: 'tool_use', id: 'b', name: 'find', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '[]' }] },
      { role: 'assistant', content: 'Nowhere.' },
    ];
    const google = [
      { role: 'user', parts: [{ text: 'Where is it?' }] },
      { role: 'model', parts: [{ text: 'Orders.', thought: true }, { functionCall: call }] },
    ];
    const openai = [
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'find', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: '[]' },
      { role: 'assistant', content: 'Nowhere.' },
    ];
    expect(
      [anthropic, google, openai, [anthropic[0]]].map((one) => describeSeen(seen(one))),
    ).to.deep.equal(['4 messages', '2 messages', '3 messages', '1 message']);
  });

  it('are not taken for Markdown because of a star or a dash', () => {
    for (const text of [
      '2 * 3 * 4',
      'a - b',
      '- one',
      '#hashtag',
      'snake_case_name',
      'f(x)[0](y',
    ]) {
      expect(isMarkdown(text), text).to.equal(false);
    }
    for (const text of [
      '- one\n- two',
      '**bold** words',
      '| a |\n|---|\n',
      '```\nx\n```',
      '[a](b)',
    ]) {
      expect(isMarkdown(text), text).to.equal(true);
    }
  });

  it('open as trees when they are small', () => {
    const small = { order: { id: 1 } };
    expect(isOpenAtFirst(small.order, 1, small)).to.equal(true);
    const long = Array.from({ length: 40 }, (_, n) => ({ n }));
    expect(isOpenAtFirst(long[0] ?? {}, 1, long)).to.equal(false);
    const mixed = { order: { id: 1 }, items: long };
    expect(isOpenAtFirst(mixed.order, 1, mixed)).to.equal(true);
    expect(isOpenAtFirst(mixed.items, 1, mixed)).to.equal(false);
  });

  it('have columns where characters belong below each other', () => {
    const table = 'Pos  Text       Sum\n  1  Ferry     12,5\n  2  Cabin      7,5';
    const withColumns = [
      table,
      'a\tb\n1\t2',
      '┌──┐\n│ a│',
      '+-----+\n| one |',
      'function a() {\n  b();\n  c();\n}',
    ];
    const without = [
      'One   gap.\nNo gap in this line.',
      'It is late.  So it is.\nIt was late.  So it was.',
      '   An indented\n   paragraph.',
      'One line   with a gap',
      'Dear all,\n\n- one;\n- two;\n- three.',
      '',
    ];
    for (const text of withColumns) expect(hasColumns(text), text).to.equal(true);
    for (const text of without) expect(hasColumns(text), text).to.equal(false);
  });

  it('show their control characters instead of obeying them', () => {
    expect(visibleText('a\u202Eb\u0007\n\tc\u200F')).to.equal('a⟨202E⟩b⟨0007⟩\n\tc⟨200F⟩');
    expect(printedText('\u001b[31mred\u001b[0m \u001b]0;title\u0007x')).to.equal('red x');
  });

  it('link to the web only, and show images that are whole in themselves', () => {
    expect(webUrl('https://example.com/a?b')).to.equal('https://example.com/a?b');
    for (const url of ['javascript:alert(1)', ' https://a', '//a.b', 'file:///etc', 'http://', 7]) {
      expect(webUrl(url), String(url)).to.equal(undefined);
    }
    expect(imageUrl('data:image/png;base64,AA')).to.equal('data:image/png;base64,AA');
    expect(imageUrl('data:text/html,<script>')).to.equal(undefined);
    expect(imageUrl('https://example.com/a.png')).to.equal(undefined);
  });

  it('are compared as they are read, as text or as JSON', () => {
    expect(comparedAs(seen('**a**'), seen('**b**'))).to.equal('markdown');
    expect(comparedAs(seen('**a**'), seen('b'))).to.equal('markdown');
    expect(comparedAs(seen('a'), seen('b\nc'))).to.equal('text');
    expect(comparedAs(seen({ a: 1 }), seen('b'))).to.equal('json');
    expect(comparedAs(seen(null), seen('b'))).to.equal(undefined);
    const output = { b: 1, a: [{ d: 1, c: 2 }], x: 0 };
    const texts = comparedTexts(output, { a: [{ c: 2, d: 1 }], n: 3, b: 2 }, 'json');
    expect(texts).to.deep.equal([
      JSON.stringify(output, null, 2),
      // Keys in the order of the output; an own one stays behind the one before it.
      JSON.stringify({ b: 2, a: [{ d: 1, c: 2 }], n: 3 }, null, 2),
    ]);
    expect(comparedTexts('{"a":1}', '{ not json }', 'json')[1]).to.equal('{ not json }');
    expect(sameValue({ a: 1, b: 2 }, { b: 2, a: 1 })).to.equal(true);
    expect(sameValue([1, 2], [2, 1])).to.equal(false);
    expect(sameValue(JSON.parse('{"__proto__":1}'), {})).to.equal(false);
  });
});

describe('messages', () => {
  it('bring a tool call and its answer together', () => {
    const messages = readMessages([
      { role: 'user', content: 'go', at: 0 },
      {
        role: 'assistant',
        content: null,
        at: 1,
        tool_calls: [{ id: 'c', function: { name: 'find', arguments: '{"q":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '{"ok":true}', at: 2 },
    ]);
    expect(messages).to.deep.equal([
      { who: 'user', parts: [{ kind: 'text', text: 'go' }], at: 0 },
      {
        who: 'call',
        parts: [{ kind: 'call', id: 'c', name: 'find', given: { q: 1 }, answer: { ok: true } }],
        at: 2,
      },
    ]);
  });

  it('are read in the dialect with typed parts', () => {
    const messages = readMessages([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 't', name: 'look', input: { at: 'x' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'seen' }] },
    ]);
    expect(messages?.map(({ who }) => who)).to.deep.equal(['assistant', 'call']);
    expect(messages?.[1]?.parts[0]).to.deep.include({ given: { at: 'x' }, answer: 'seen' });
  });

  it('are counted from the first one when their times are moments', () => {
    const messages = readMessages([
      { role: 'user', content: 'a', timestamp: '2026-01-01T10:00:00.000Z' },
      { role: 'assistant', content: 'b', timestamp: '2026-01-01T10:00:01.500Z' },
    ]);
    expect(messages?.map(({ at }) => at)).to.deep.equal([0, 1.5]);
  });

  it('that were traced may be anything', () => {
    expect(readTraced(['x', 7, null])?.map(({ who }) => who)).to.deep.equal([
      'value',
      'value',
      'value',
    ]);
    expect(readTraced({})).to.equal(undefined);
  });
});

describe('differences', () => {
  it('takes a number for one word', () => {
    const found = findDifferences('You get €42.50.', 'You get €85.00.');
    expect(found).to.deep.equal({
      before: [{ start: 9, end: 14, change: 0 }],
      after: [{ start: 9, end: 14, change: 0 }],
      count: 1,
    });
  });

  it('are stretches of words, without the spaces around them', () => {
    const found = findDifferences('It was done once.', 'It was done twice, as asked.');
    expect(found).to.deep.equal({
      before: [{ start: 12, end: 16, change: 0 }],
      after: [{ start: 12, end: 27, change: 0 }],
      count: 1,
    });
  });

  it('cut a text where they begin and end', () => {
    const pieces = cutAt('bcdef', [{ start: 2, end: 4, change: 0 }], 1);
    expect(pieces.map(({ text, isMarked }) => [text, isMarked])).to.deep.equal([
      ['b', false],
      ['cd', true],
      ['ef', false],
    ]);
  });

  it('are lines, then words, in long and very different texts', () => {
    const lines = (word: string) =>
      Array.from({ length: 4000 }, (_, n) => `Line ${n} is about ${n === 2000 ? word : 'tea'}.\n`);
    const [before, after] = [lines('kettles').join(''), lines('cups').join('')];
    const found = findDifferences(before, after);
    expect(found.count).to.equal(1);
    expect(found.before.map(({ start, end }) => before.slice(start, end))).to.deep.equal([
      'kettles',
    ]);
    expect(found.after.map(({ start, end }) => after.slice(start, end))).to.deep.equal(['cups']);
    const other = Array.from({ length: 20_000 }, (_, n) => `${n * 7919} ${n}`).join('\n');
    expect(
      findDifferences(`Same start.\n${other}`, 'Same start.\nNothing else.').count,
    ).to.be.above(0);
    expect(findDifferences('a '.repeat(200_000), 'b').count).to.be.above(0);
  });

  it('are whole lines of JSON, and words in lines of the same key', () => {
    const marked = (one: unknown, other: unknown) => {
      const [before, after] = comparedTexts(one, other, 'json');
      const found = findDifferences(before, after, true);
      const cut = (text: string, ranges: typeof found.before) =>
        ranges.map(({ start, end }) => text.slice(start, end));
      return {
        before: cut(before, found.before),
        after: cut(after, found.after),
        count: found.count,
      };
    };
    expect(marked({ steps: ['box', 'drop'] }, { steps: ['label', 'box', 'drop'] })).to.deep.equal({
      before: [],
      after: ['"label"'],
      count: 1,
    });
    // The comma that follows the last item then, says nothing of it.
    expect(marked({ steps: ['box'] }, { steps: ['box', 'drop', 'wait'] })).to.deep.equal({
      before: [],
      after: ['"drop"', '"wait"'],
      count: 1,
    });
    expect(
      marked({ ok: false, why: 'over, sorry' }, { ok: true, until: 'May', why: 'over now, sorry' }),
    ).to.deep.equal({
      before: ['false'],
      after: ['true', '"until": "May"', 'now'],
      count: 3,
    });
    expect(marked(['one, two'], ['one two'])).to.deep.equal({
      before: [','],
      after: [],
      count: 1,
    });
  });

  it('have what is far from them in JSON folded', () => {
    const value = Array.from({ length: 60 }, (_, n) => n);
    const [before, after] = comparedTexts(value, value.with(30, -1), 'json');
    const { before: ranges } = findDifferences(before, after, true);
    const stretches = stretchesOf(before, ranges);
    expect(stretches.map(({ isFolded, lines }) => [isFolded, lines])).to.deep.equal([
      [true, 28],
      [false, 7],
      [true, 27],
    ]);
    expect(stretches.map(({ text }) => text).join('')).to.equal(before);
  });
});

describe('two values', () => {
  const places = (one: unknown, two: unknown) => {
    const root = pairValues(one, two);
    return root && differingPlaces(root).map(({ path }) => path);
  };
  const linesOf = (one: unknown, two: unknown, ...turned: string[]) =>
    pairedLines(pairValues(one, two) as Paired, new Set(turned)).map(
      ({ id, depth, kind, places: its, isOpen }) =>
        `${' '.repeat(depth)}${isOpen ? '-' : '+'} ${kind} ${its.map(({ path }) => path)} #${id}`,
    );

  it('differ at paths: values, types, and what only one has', () => {
    const cases: [unknown, unknown, string[] | undefined][] = [
      [{ a: { b: 1 }, c: [1, { d: 2 }] }, { a: { b: 2 }, c: [1, { d: 3 }] }, ['a.b', 'c[1].d']],
      [{ a: 1, b: null }, { b: undefined, a: '1' }, ['a', 'b']],
      [{ a: 1, only: { x: 1, y: 2 } }, { a: 1, other: [] }, ['other', 'only']],
      [{ a: {}, b: [] }, { a: [], b: [] }, ['a']],
      [{ b: 1, a: 2 }, { a: 2, b: 1 }, []],
      // Items that were added or removed move the others.
      [['b', 'c'], ['a', 'b', 'c'], ['[0]']],
      [
        [1, 2, 3, 4],
        [1, 3, 9],
        ['[1]', '[3]'],
      ],
      ['{"a": 1}', { a: 2 }, ['a']],
      [JSON.parse('{"__proto__": 1}'), {}, ['__proto__']],
      ['text', { a: 2 }, undefined],
      [[1], { 0: 1 }, undefined],
    ];
    for (const [one, two, paths] of cases) {
      expect(places(one, two), JSON.stringify([one, two])).to.deep.equal(paths);
    }
    expect(pairValues({ a: 1, b: [1, 2], c: { d: {} } }, { a: 2 })).to.include({
      values: 3,
      differing: 3,
    });
  });

  it('are open where they differ, with equal neighbours folded', () => {
    const one = { a: 1, b: 2, c: { d: 1, e: { f: 2 } }, g: { h: 1 } };
    const two = { a: 1, b: 2, c: { d: 0, e: { f: 2 } }, g: { h: 1 } };
    expect(linesOf(one, two)).to.deep.equal([
      '+ equal a,b #from 1',
      '- branch c #3',
      ' + leaf c.d #4',
      ' + branch c.e #5',
      '+ branch g #7',
    ]);
    expect(linesOf(one, two, '3', 'from 1', '7')).to.deep.equal([
      '- equal a,b #from 1',
      ' + leaf a #1',
      ' + leaf b #2',
      '+ branch c #3',
      '- branch g #7',
      ' + leaf g.h #8',
    ]);
  });
});

describe('a case as TypeScript', () => {
  it('has its values as stored, and what they are if it is read again', () => {
    const input = {
      order: 'A-7',
      'a-b': [1, -2.5, true, null],
      at: '2026-11-29T00:00:00.000Z',
      text: `It's "so"\n\\ \u2028 \u202e \u0007 \${x} 😀`,
      empty: { list: [], none: {} },
    };
    const text = caseText('cancel[day_30]', { input, reference: "it's" });
    expect(text).to.contain("id: 'day_30'").and.contain('reference: "it\'s"');
    expect(text).to.contain("'a-b': [1, -2.5, true, null]");
    for (const sign of ['\u2028', '\u202e', '\u0007']) expect(text).not.to.contain(sign);
    expect(new Function(`return [${text}][0]`)()).to.deep.equal({
      id: 'day_30',
      input,
      reference: "it's",
    });
    const proto = JSON.parse('{"__proto__": 1}');
    const again = new Function(
      `return [${caseText('plain', { input: proto, reference: null })}][0]`,
    )();
    expect(Object.keys(again)).to.deep.equal(['input']);
    expect(JSON.stringify(again.input)).to.equal('{"__proto__":1}');
  });
});

describe('errors', () => {
  it('have own frames, and folded ones of packages', () => {
    const text =
      'TypeError: no\n    at own (/a/b.ts:1:2)\n    at x (/a/node_modules/y/z.js:1:1)\n    at node:internal/q:1:1\n    at run (/a/node_modules/assay/dist/host.js:1:1)\nCaused by: Error: why\n    at JSON.parse (<anonymous>)\n    at own (/a/c.ts:3:4)';
    const told = readError(text).map(({ frames, ...part }) => ({
      ...part,
      frames: frames.map((some) =>
        some.kind === 'own' ? some.frames.map((frame) => frameText(frame, '/a')) : some.words,
      ),
    }));
    expect(told).to.deep.equal([
      {
        name: 'TypeError',
        message: 'no',
        frames: [['at own (b.ts:1:2)'], '1 frame of y'],
        isCause: false,
      },
      {
        name: 'Error',
        message: 'why',
        frames: ['1 built-in frame', ['at own (c.ts:3:4)']],
        isCause: true,
      },
    ]);
  });

  it('have anonymous functions among their own frames, repetitions folded, and none of assay', () => {
    const deep = '    at <anonymous> (/a/b.ts:1:2)\n'.repeat(12);
    const own = '    at run (/a/node_modules/assay/dist/x.js:1:1)';
    const [frames, ...others] = readError(`Error: no\n${deep}${own}`)[0]?.frames ?? [];
    expect(others).to.deep.equal([]);
    expect(frames).to.include({ kind: 'own', times: 12 });
    expect(frames?.frames).to.have.lengthOf(1);
  });

  it('without a name or a stack are their message', () => {
    expect(readError('it broke\nbadly')).to.deep.equal([
      { name: undefined, message: 'it broke\nbadly', frames: [], isCause: false },
    ]);
  });
});

describe('corrections', () => {
  const timestamp = '2026-01-01T00:00:00.000Z';

  it('tell which scores changed, and who changed them', () => {
    const told = readCorrection({
      field: 'scores',
      before: [
        { key: 'a', passed: true },
        { key: 'b', value: 1 },
      ],
      after: [
        { key: 'b', value: 1 },
        { key: 'a', passed: false, source: 'human' },
        { key: 'c', value: 2, source: 'human' },
      ],
      timestamp,
    });
    expect(told).to.deep.equal({
      kind: 'scores',
      changes: [
        {
          key: 'a',
          before: { key: 'a', passed: true },
          after: { key: 'a', passed: false, source: 'human' },
        },
        { key: 'c', before: undefined, after: { key: 'c', value: 2, source: 'human' } },
      ],
      by: 'by hand',
    });
  });

  it('by a regrade bear no mark of a person', () => {
    const told = readCorrection({
      field: 'scores',
      before: [{ key: 'a', passed: true }],
      after: [{ key: 'a', passed: false }],
      timestamp,
    });
    expect(told).to.include({ by: 'regrade' });
  });
});
