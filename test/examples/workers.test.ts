import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { isObject } from '../../src/model/json.js';

const checkout = new URL('../../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('oclif.manifest.json', checkout), 'utf8'));

function read(name: string): unknown[] {
  const text = readFileSync(new URL(`examples/workers/${name}`, checkout), 'utf8');
  return parseAllDocuments(text, { strict: true, merge: true }).map((document) => {
    if (!('errors' in document)) throw new Error(`${name} is empty`);
    expect([...document.errors, ...document.warnings], name).to.deep.equal([]);
    return document.toJS() as unknown;
  });
}

/** All values of a key, however deep. */
function valuesOf(key: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesOf(key, one));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    ...(name === key ? [one] : []),
    ...valuesOf(key, one),
  ]);
}

/** The command lines of assay among lists of arguments; each flag must exist. */
function checkFlags(lists: readonly unknown[]): string[] {
  return lists.flatMap((list) => {
    const [command = '', ...rest] = Array.isArray(list) ? list.map(String) : [];
    const known = manifest.commands[command]?.flags;
    if (known === undefined) return [];
    for (const flag of rest.filter((one) => one.startsWith('--'))) {
      expect(known, `${command} ${flag}`).to.have.property(flag.replace(/^--(no-)?/, ''));
    }
    return [command];
  });
}

describe('examples/workers', () => {
  it('has a compose file with known flags', () => {
    const [compose] = read('compose.yaml');
    expect(checkFlags(valuesOf('command', compose))).to.deep.equal(['worker', 'serve']);
    expect(valuesOf('services', compose).map((one) => Object.keys(Object(one)))).to.deep.equal([
      ['redis', 'worker', 'serve'],
    ]);
  });

  it('has Kubernetes objects that refer to each other, with known flags', () => {
    const objects = read('kubernetes.yaml');
    expect(checkFlags(valuesOf('args', objects))).to.deep.equal(['worker', 'serve']);
    const names = objects.map((one) => {
      return valuesOf('metadata', one).flatMap((each) => valuesOf('name', each))[0];
    });
    for (const key of ['scaleTargetRef', 'authenticationRef', 'secretKeyRef']) {
      for (const name of valuesOf(key, objects).flatMap((one) => valuesOf('name', one))) {
        expect(names, key).to.include(name);
      }
    }
    for (const claim of valuesOf('claimName', objects)) expect(names).to.include(claim);
    for (const selector of valuesOf('matchLabels', objects)) {
      const labels = valuesOf('labels', objects);
      expect(labels).to.deep.include(selector);
    }
  });
});
