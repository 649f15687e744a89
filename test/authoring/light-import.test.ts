import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const source = new URL('../../src/', import.meta.url);
const importing = /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'/gm;

/** Every module that importing `file` loads at once, `import()` left out. */
function loaded(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  for (const [, name = ''] of readFileSync(fileURLToPath(file), 'utf8').matchAll(importing)) {
    if (name.startsWith('.')) loaded(new URL(name.replace(/\.js$/, '.ts'), file), seen);
    else seen.add(name);
  }
  return seen;
}

describe('importing assay', () => {
  it('loads only modules of the authoring API, the model, text and Node', () => {
    const modules = [...loaded(new URL('index.ts', source))].map((name) =>
      name.replace(source.href, ''),
    );
    expect(modules).to.include('authoring/evaluation.ts');
    const others = modules.filter(
      (name) => !/^(?:index\.ts|authoring\/|model\/|text\/|node:)/.test(name),
    );
    expect(others).to.deep.equal([]);
  });

  it('loads no graders, and they load no more than that', () => {
    expect([...loaded(new URL('index.ts', source))].join('\n')).to.not.include('graders/');
    const modules = [...loaded(new URL('graders/index.ts', source))].map((name) =>
      name.replace(source.href, ''),
    );
    const others = modules.filter(
      (name) => !/^(?:graders\/|authoring\/|model\/|text\/|values\/|node:)/.test(name),
    );
    expect(others).to.deep.equal([]);
  });

  it('loads no parser of case files', () => {
    const modules = [...loaded(new URL('index.ts', source))].join('\n');
    expect(modules)
      .to.include('case-loaders.ts')
      .and.not.to.match(/read-(?:csv|json|yaml|case-)/);
  });

  it('loads parsers where cases are read', () => {
    const yaml = loaded(new URL('authoring/case-files/read-yaml.ts', source));
    expect([...yaml])
      .to.include('js-yaml')
      .and.not.to.include('yaml');
    expect([...loaded(new URL('authoring/case-files/read-csv.ts', source))]).to.include(
      'csv-parse/sync',
    );
  });
});
