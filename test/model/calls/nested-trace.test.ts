import { expect } from 'chai';
import type { Call, CallRole, Span } from '../../../src/model/calls/model-call.js';
import { nestedTrace } from '../../../src/model/calls/nested-trace.js';

const call = (start: number, parent?: string, role: CallRole = 'target'): Call => ({
  ...{ number: start, role, method: 'POST', url: 'https://a.example', start },
  ...(parent !== undefined && { parent }),
});
const span = (id: string, start: number, more: Partial<Span> = {}): Span => ({
  ...{ kind: 'span', id, name: id, role: 'target', start },
  ...more,
});
const shown = (calls: readonly Call[], spans: readonly Span[]) =>
  nestedTrace(calls, spans).map(
    ({ done, depth }) => '  '.repeat(depth) + ('kind' in done ? done.id : `call ${done.start}`),
  );

describe('calls and spans', () => {
  it('stand below the span that they were made in, whatever ran at the same time', () => {
    const spans = [span('a', 1), span('b', 2), span('tool', 5, { kind: 'tool', parent: 'a' })];
    const calls = [call(3, 'a'), call(4, 'b'), call(6, 'tool'), call(7), call(8, 'gone')];
    expect(shown(calls, spans)).to.deep.equal([
      ...['a', '  call 3', '  tool', '    call 6'],
      ...['b', '  call 4', 'call 7', 'call 8'],
    ]);
  });

  it('leave out the only frame of a role, unless it says something of its own', () => {
    const calls = [call(2, 'a'), call(3, 'judge', 'evaluator:tone')];
    const judge = span('judge', 2, { role: 'evaluator:tone' });
    expect(shown(calls, [span('a', 1), judge])).to.deep.equal(['call 2', 'call 3']);
    const named = span('a', 1, { attributes: { user: 7 } });
    expect(shown(calls, [named])).to.deep.equal(['a', '  call 2', 'call 3']);
  });

  it('are all there where spans of an imported run are in each other', () => {
    const spans = [span('a', 1, { parent: 'b' }), span('b', 2, { parent: 'a' })];
    expect(shown([call(3, 'a')], spans)).to.have.members(['a', '  b', '  call 3']);
  });
});
