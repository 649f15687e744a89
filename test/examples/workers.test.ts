import { readFileSync } from 'node:fs';
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import * as apps from 'kubernetes-models/apps/v1';
import * as core from 'kubernetes-models/v1';
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

/** Says what is wrong with a compose file, by the schema of https://github.com/compose-spec/compose-spec. */
function composeFaults(value: unknown): unknown {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const schema = readFileSync(new URL('test/fixtures/compose-spec.json', checkout), 'utf8');
  // Ajv knows the name of that version of JSON Schema only with http.
  const validate = ajv.compile({ ...JSON.parse(schema), $schema: undefined });
  return validate(value) ? [] : validate.errors;
}

interface Checked {
  validate(): void;
}

const kinds = { ...core, ...apps, ...keda } as unknown as Record<
  string,
  (new (value: unknown) => Checked) | undefined
>;

/** Throws for an object that is not as Kubernetes or KEDA wants it. */
function checkObject(value: unknown): void {
  const { kind = '' } = value as { kind?: string };
  const Kind = kinds[kind];
  if (Kind === undefined) throw new Error(`unknown kind ${kind}`);
  new Kind(value).validate();
}

describe('examples/workers', () => {
  it('has a compose file and Kubernetes objects that their schemas allow', () => {
    const [compose] = read('compose.yaml') as [{ services: { worker: object } }];
    expect(composeFaults(compose)).to.deep.equal([]);
    const wrong = { services: { worker: { ...compose.services.worker, retart: 'always' } } };
    expect(composeFaults(wrong)).to.have.length(1);
    const objects = read('kubernetes.yaml');
    expect(objects).to.have.length(9);
    for (const one of objects) checkObject(one);
    const deployment = objects.find((one) => (one as { kind: string }).kind === 'Deployment');
    const { spec } = deployment as { spec: object };
    expect(() =>
      checkObject({ ...Object(deployment), spec: { ...spec, replicas: 'three' } }),
    ).to.throw(/replicas must be integer/);
  });

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
