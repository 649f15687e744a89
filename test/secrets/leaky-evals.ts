import { credential, secrets } from './canaries.js';

const names = JSON.stringify(Object.keys(secrets));

/** Eval files that let secrets out in every way an evaluation has. */
export const leakyEvals: Readonly<Record<string, string>> = {
  'leaky.eval.ts': `
import { execFileSync, spawnSync } from 'node:child_process';
import { evaluation } from 'assay';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const names = ${names};
const all = () => names.map((name) => process.env[name]);
const text = () => all().join(' and ');
const key = process.env.OPENAI_API_KEY;
const headers = () => ({
  Authorization: 'Bearer ${credential}-1',
  'x-api-key': '${credential}-2',
  cookie: 'session=${credential}-3',
});

export const returns = evaluation({
  target: () => ({ list: all(), text: text(), json: JSON.stringify(all()), [key]: 'as a key', map: new Map([[key, key]]), error: new Error(text()), harmless: process.env.HARMLESS }),
});
export const authored = evaluation({ input: all(), reference: text(), metadata: { all: all(), [key]: 1 }, cases: [{ id: 'one' }] }, () => {});
export const prints = evaluation({}, () => {
  console.log(text());
  console.log({ list: all() });
  console.log(JSON.stringify(all()));
  for (const value of all()) console.error(value);
  process.stdout.write(Buffer.from(text()));
});
export const pieces = evaluation({}, async () => {
  for (const value of all()) {
    for (const character of value) process.stdout.write(character);
    process.stdout.write('\\n');
    process.stderr.write(value.slice(0, 7));
    await wait(5);
    process.stderr.write(value.slice(7) + '\\n');
  }
});
export const throws = evaluation({}, () => { throw new Error('refused: ' + text(), { cause: new Error(text()) }); });
export const throwsValue = evaluation({}, () => { throw text(); });
export const throwsObject = evaluation({}, () => { throw { [key]: key, message: text() }; });
export const namedError = evaluation({}, () => { throw Object.assign(new Error('x'), { name: key, stack: 'Error\\n    at ' + text() + ' (/a.ts:1:1)' }); });
export const rejects = evaluation({}, async () => { void Promise.reject(new Error(text())); await wait(200); });
export const late = evaluation({}, () => { setTimeout(() => { throw new Error(text()); }, 30); });
export const asserts = evaluation({}, () => { throw Object.assign(new Error('expected ' + text()), { name: 'AssertionError' }); });
export const scores = evaluation({ defaultScoreKey: 'default' }, (ctx) => {
  ctx.score({ key: 'key ' + key, value: 1, notes: text() });
});
export const evaluators = evaluation({ target: () => 1, evaluators: [() => { throw new Error(text()); }, Object.defineProperty(() => ({ score: 1, name: key, metadata: { rationale: text() } }), 'name', { value: key })] });
export const metadata = evaluation({}, (ctx) => { ctx.metadata.all = all(); });
export const traces = evaluation({}, (ctx) => {
  ctx.traceData.messages = [{ role: 'user', content: text() }];
  ctx.traceData.traceUrl = 'https://example.com/?key=' + encodeURIComponent(process.env.AWS_CREDENTIALS) + '&p=' + encodeURIComponent(process.env.DB_PASSWORD);
  ctx.traceData.request = { headers: headers() };
});
export const logsHeaders = evaluation({}, () => {
  console.log({ headers: headers() });
  console.log(JSON.stringify({ headers: headers() }));
  console.error(Object.entries(headers()).map(([name, value]) => name + ': ' + value).join('\\r\\n'));
  console.error('> GET /?api_key=${credential}-4&x=1 HTTP/1.1\\n> Authorization: Basic ${credential}-5\\n< Set-Cookie: a=${credential}-6; HttpOnly');
  throw new Error('request failed: ' + JSON.stringify({ headers: headers() }));
});
export const child = evaluation({}, () => {
  spawnSync('sh', ['-c', 'echo "$OPENAI_API_KEY" "$GITHUB_TOKEN" >&2; echo "$DOTENV_API_KEY"; printf sk-canary-; sleep 0.1; echo environment-0001'], { stdio: 'inherit' });
  execFileSync('sh', ['-c', 'echo "$CLIENT_SECRET" >&2; exit 3']);
});
export const exits = evaluation({}, () => { process.exitCode = 3; process.exit(text()); });
export const much = evaluation({}, () => {
  const value = process.env.OPENAI_API_KEY;
  // The last character of the secret is the first that is not kept.
  process.stdout.write('x'.repeat(256 * 1024 - value.length + 1) + value);
});
export const longError = evaluation({}, () => { throw new Error('x'.repeat(16 * 1024 - 'Error: '.length - key.length + 1) + key); });
export const longNotes = evaluation({}, (ctx) => { ctx.score({ key: 'long', value: 1, notes: 'x'.repeat(64 * 1024 - key.length + 1) + key }); });
export const timesOut = evaluation({ timeout: 0.05 }, async (ctx) => {
  ctx.output = text();
  console.log(text());
  await wait(500);
});
`,
  'named.eval.ts': `
import { evaluation } from 'assay';
const { OPENAI_API_KEY: key, GITHUB_TOKEN: other } = process.env;
export const named = evaluation({ name: 'named ' + key, dataset: 'data ' + key, labels: [key, other] }, () => {});
export const cases = evaluation({ cases: [{ id: key }, { id: other, dataset: other, labels: [key] }] }, () => { throw new Error(key); });
export const empty = evaluation({ name: 'empty ' + key, cases: [] }, () => {});
`,
  'own.eval.ts': `
import { evaluation } from 'assay';
process.env.OWN_API_KEY = 'canary-set-at-import-0015';
export const own = evaluation({ input: process.env.OWN_API_KEY }, (ctx) => {
  ctx.output = process.env.OWN_API_KEY;
  console.log(process.env.OWN_API_KEY);
  throw new Error(process.env.OWN_API_KEY);
});
`,
};

/** An eval file whose last words are secrets. */
export const crashingEvals: Readonly<Record<string, string>> = {
  'crash.eval.ts': `
import { writeSync } from 'node:fs';
import { evaluation } from 'assay';
const { OPENAI_API_KEY: key, DOTENV_API_KEY: dotenv, CLIENT_SECRET: quoted, SIGNING_KEY: lines } = process.env;
export const crashes = evaluation({}, () => {
  writeSync(2, 'fatal: ' + [key, dotenv, quoted].join(' ') + '\\n' + lines + '\\nauthorization: Bearer ${credential}-7\\n');
  process.kill(process.pid, 'SIGSEGV');
});
`,
  'crash-long.eval.ts': `
import { writeSync } from 'node:fs';
import { evaluation } from 'assay';
const key = process.env.OPENAI_API_KEY;
// Of the last 4096 characters, which are kept, the first is the second of the secret.
export const crashesAfterMuch = evaluation({}, () => {
  writeSync(2, key + 'y'.repeat(4096 - key.length + 1));
  process.kill(process.pid, 'SIGSEGV');
});
`,
};
