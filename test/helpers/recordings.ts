import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeProvider, startFakeProvider } from './fake-provider.js';
import type { Project } from './project.js';

/** Source of an eval file up to its evaluations: `ask(content)` asks the model of the provider in `PROVIDER`. */
export const askingModel = `
import { evaluation } from 'assay';
const ask = async (content: string) => {
  const response = await fetch(process.env.PROVIDER + '/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  });
  const answer = (await response.json()) as any;
  if (!response.ok) throw new Error(answer.error.message);
  return answer.choices[0].message.content;
};
`;

/** For the tests of a `describe`: a provider, for {@link askingModel}, that numbers its answers in each test. */
export function countingModel(): { asked: number; readonly env: { readonly PROVIDER: string } } {
  const model = { asked: 0, env: { PROVIDER: '' } };
  let provider: FakeProvider;
  before(async () => {
    provider = await startFakeProvider(() => ({ text: `answer ${++model.asked}` }));
    model.env = { PROVIDER: provider.url };
  });
  after(() => provider[Symbol.asyncDispose]());
  beforeEach(() => {
    model.asked = 0;
  });
  return model;
}

/** Text of every recording below a folder, by path. */
export function recordingsIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Path in a project of the only recording of an attempt, such as `a.eval.ts/one/1`. */
export function onlyRecording(
  project: Project,
  attempt: string,
  folder = '.assay/recordings',
): string {
  const [name = '', ...more] = readdirSync(project.path(folder, attempt));
  if (more.length > 0) throw new Error(`${attempt} has several recordings`);
  return `${folder}/${attempt}/${name}`;
}

/** The recordings below a folder by attempt, with the number of each. */
export function countByAttempt(folder: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const path of Object.keys(recordingsIn(folder))) {
    const attempt = path.slice(0, path.lastIndexOf('/'));
    counts[attempt] = (counts[attempt] ?? 0) + 1;
  }
  return counts;
}
