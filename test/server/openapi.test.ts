import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { renderRestDocs } from '../../scripts/render-rest-docs.mjs';
import { readVersion } from '../../src/package-root.js';
import { allRoutes } from '../../src/server/api/index.js';
import { createOpenApi, type OpenApiDocument } from '../../src/server/openapi.js';
import type { Operations } from '../../src/server/workspace/operations.js';
import type { Workspace } from '../../src/server/workspace/workspace.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

// Handlers are described, not called, so there is nothing they would need.
const routes = allRoutes({} as Workspace, {} as Operations);
const document = asJson(createOpenApi(routes, readVersion()));
const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
    path,
    method,
    operation,
  })),
);

describe('OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...document });
    expect(errors ?? []).to.deep.equal([]);
    expect(valid).to.equal(true);
    expect(validator.version).to.equal('3.1');
  });

  it('describes every route once', () => {
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(described).to.have.members(routes.map(({ method, path }) => `${method} ${path}`));
  });

  it('gives every operation a name of its own and a sentence', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).to.equal(names.length);
    for (const { operation } of operations) expect(operation.summary).to.match(/^[A-Z].*\.$/);
  });

  it('describes every parameter of a path', () => {
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path');
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath.map((one) => one.name)).to.have.members(names);
    }
  });

  it('has a problem document for every failure', () => {
    for (const { operation } of operations) {
      const failures = Object.keys(operation.responses).filter((status) => !/^[23]/.test(status));
      expect(failures).to.include('default');
      for (const status of failures) {
        const { $ref = '' } = operation.responses[status] as { readonly $ref?: string };
        const name = $ref.replace('#/components/responses/', '');
        expect(document.components?.responses?.[name]).to.have.nested.property(
          'content.application/problem+json.schema.$ref',
          '#/components/schemas/Problem',
        );
      }
    }
  });

  it('names no address and no port', () => {
    expect(document.servers).to.deep.equal([{ url: '/' }]);
  });

  it('asks for a token only as one of two ways', () => {
    expect(document.security).to.deep.equal([{}, { token: [] }]);
  });

  it('is what docs/openapi.json holds', () => {
    expect(JSON.parse(readDocs('openapi.json'))).to.deep.equal(document);
  });

  it('is what docs/rest-api.md is written from', () => {
    expect(readDocs('rest-api.md')).to.equal(renderRestDocs(document));
  });
});

function asJson(value: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(value));
}

function readDocs(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}
