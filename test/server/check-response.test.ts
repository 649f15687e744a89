import { expect } from 'chai';
import { checkResponse } from '../helpers/check-response.js';

const headers = {
  'Content-Type': 'application/json',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};
const problem = { type: 'about:blank', title: 'Conflict', status: 409, detail: 'No.' };
const asProblem = { ...headers, 'Content-Type': 'application/problem+json' };

describe('checkResponse', () => {
  it('answers with what it was given when that fits', async () => {
    const body = { ok: true, cancelled: 3 };
    const answer = await check('POST', '/api/runs/stop', body);
    expect(answer).to.deep.include({ status: 200, body });
    await check('POST', '/api/runs/stop?x=1', problem, 409, asProblem);
    await check('GET', '/nowhere', { ...problem, status: 404 }, 404, asProblem);
  });

  const stop = ['POST', '/api/runs/stop'] as const;
  const wrong: readonly (readonly [string, Promise<unknown>, RegExp])[] = [
    ['a field too many', check(...stop, { ok: true, cancelled: 3, more: 1 }), /additional/],
    ['a field that is missing', check(...stop, { ok: true }), /required/],
    ['a value of another type', check(...stop, { ok: true, cancelled: 1.5 }), /\/cancelled/],
    ['a status of no operation', check(...stop, { ok: true, cancelled: 1 }, 201), /201 is not/],
    ['a problem that is none', check(...stop, problem, 409), /media type/],
    ['a problem of another status', check(...stop, problem, 500, asProblem), /says status 409/],
    ['a run without a tag', check('GET', '/results', {}), /no ETag/],
    ['another media type', text('GET', '/api/runs/latest/export/csv'), /not text\/csv/],
    [
      'a missing header',
      check(...stop, { ok: true, cancelled: 1 }, 200, { 'Content-Type': 'application/json' }),
      /nosniff/,
    ],
    [
      'a header for other origins',
      check(...stop, { ok: true, cancelled: 1 }, 200, {
        ...headers,
        'Access-Control-Allow-Origin': '*',
      }),
      /access-control-allow-origin/,
    ],
  ];
  for (const [what, answer, reason] of wrong) {
    // Awaited in its test: until then nobody minds that it fails.
    answer.catch(() => undefined);
    it(`refuses ${what}`, async () => {
      const error = await answer.then(
        () => undefined,
        (one: unknown) => one,
      );
      expect(error).to.be.instanceOf(Error).with.property('message').that.matches(reason);
    });
  }
});

function check(
  method: string,
  path: string,
  body: unknown,
  status = 200,
  given: Readonly<Record<string, string>> = headers,
) {
  return checkResponse(
    method,
    path,
    new Response(JSON.stringify(body), { status, headers: given }),
  );
}

function text(method: string, path: string) {
  return checkResponse(
    method,
    path,
    new Response('a,b', { headers: { 'Content-Type': 'text/plain' } }),
  );
}
