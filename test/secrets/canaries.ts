import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

/** Secrets of the environment: a name of every kind, and values that need escapes in JSON, XML, URLs and CSV. */
export const inEnvironment: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: 'sk-canary-environment-0001',
  GITHUB_TOKEN: 'ghp_canaryEnvironment0002',
  CLIENT_SECRET: 'canary"quoted\\<0003>&',
  DB_PASSWORD: 'canary pass wörd 0004',
  AWS_CREDENTIALS: 'canary.credentials+/=0005',
  SIGNING_KEY: '-----BEGIN CANARY-----\nMIIcanary0012\nMIIcanary0013\n-----END CANARY-----',
  token: '=canary-formula-0014',
};

/** Secrets of `.env`. */
const inDotEnv: Readonly<Record<string, string>> = {
  DOTENV_API_KEY: 'sk-canary-dotenv-0006',
  dotenv_token: 'canary-lower-case-0007',
};

/** What stands under `authorization`, `cookie` and the like, and is known from there alone. */
export const credential = 'only-known-here';

/** A value of a variable that is no secret. */
export const harmless = 'not-a-secret-value-0008';

export const secrets = { ...inEnvironment, ...inDotEnv };

/** The text of `.env`. */
export function dotEnv(): string {
  const lines = Object.entries(inDotEnv).map(([name, value]) => `${name}=${value}\n`);
  return lines.join('');
}

/** A secret as it stands in text, JSON, XML and URLs. */
function formsOf(value: string): string[] {
  const xml = value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    xml,
    xml.replace(/"/g, '&quot;'),
    encodeURIComponent(value),
  ];
}

/** Fails when a text holds a secret, or all of one but a character at its end or its start. */
export function expectNoSecret(text: string, where: string): void {
  for (const [name, value] of Object.entries(secrets)) {
    const almost = [value.slice(0, -1), value.slice(1)];
    for (const form of [...formsOf(value), ...almost]) {
      const at = text.indexOf(form);
      const around = text.slice(Math.max(0, at - 60), at + 80);
      expect(at, `${name} in ${where}: ${JSON.stringify(around)}`).to.equal(-1);
    }
  }
  const at = text.indexOf(credential);
  const around = text.slice(Math.max(0, at - 60), at + 80);
  expect(at, `a credential in ${where}: ${JSON.stringify(around)}`).to.equal(-1);
}

/** Looks into every file below a folder. */
export function expectNoSecretBelow(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of files) {
    expectNoSecret(entry.name, 'the name of a file');
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    expectNoSecret(readFileSync(path, 'utf8'), path);
  }
}
