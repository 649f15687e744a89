import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Project } from './helpers/project.js';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(posix.join(checkout, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

/** Files below a folder, or the file itself. */
function filesIn(name: string): string[] {
  if (!statSync(posix.join(checkout, name)).isDirectory()) return [name];
  const files = readdirSync(posix.join(checkout, name), { recursive: true, encoding: 'utf8' });
  return files.map((file) => posix.join(name, file));
}

/** Targets of the links and pictures of a document that are no addresses. */
function linkedFiles(file: string): string[] {
  const text = read(file).replaceAll(/^```.*?^```/gms, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)];
  return links
    .map((link) => (link[1] ?? link[2] ?? '').replace(/#.*/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => posix.join(posix.dirname(file), target));
}

describe('the package', function () {
  this.timeout(120_000);

  it('says where it comes from', () => {
    expect(manifest.repository.url).to.match(/^git\+https:\/\/github\.com\/.+\.git$/);
    expect(manifest.homepage).to.match(/^https:/);
    expect(manifest.bugs).to.match(/^https:/);
  });

  it('runs nothing where it is installed, so that npm has nothing to warn of', () => {
    const ofInstalling = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'];
    expect(manifest.scripts).to.not.have.any.keys(...ofInstalling);
    // But after `npm ci` in a clone, and before it is packed, it is built.
    expect(manifest.scripts).to.include({
      dependencies: 'npm run build',
      prepack: 'npm run build',
    });
  });

  it('has the documents that it links to', () => {
    // npm adds these without being asked.
    const always = ['README.md', 'LICENSE', 'package.json'];
    const files = new Set([...always, ...manifest.files].flatMap(filesIn));
    const documents = [...files].filter((file) => file.endsWith('.md'));
    expect(documents).to.include.members(['README.md', 'docs/cli.md', 'docs/README.md']);
    const dead = documents.flatMap((file) =>
      linkedFiles(file)
        .filter((target) => !files.has(target) && target !== 'docs')
        .map((target) => `${file}: ${target}`),
    );
    expect(dead).to.deep.equal([]);
  });

  it('has documents that link to files of the repository that are there', () => {
    const own = 'https://github.com/assay-dev/assay/';
    const documents = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs')].filter((file) =>
      file.endsWith('.md'),
    );
    const dead = documents.flatMap((file) =>
      [
        ...read(file).matchAll(
          /https:\/\/github\.com\/assay-dev\/assay\/(?:blob|tree)\/main\/([^)#\s"]+)/g,
        ),
      ]
        .map((link) => link[1] ?? '')
        .filter((target) => !isThere(target))
        .map((target) => `${file}: ${own}${target}`),
    );
    expect(dead).to.deep.equal([]);
  });

  it('lists every decision', () => {
    const decisions = readdirSync(posix.join(checkout, 'docs/decisions'));
    const listed = read('docs/README.md').match(/decisions\/[\w-]+\.md/g);
    expect(listed).to.deep.equal(decisions.sort().map((file) => `decisions/${file}`));
  });

  it('is run by npx in a clone without being built again, also the first time', async () => {
    const cache = new Project({});
    const built = posix.join(checkout, 'dist/index.js');
    const before = statSync(built).mtimeMs;
    const env = { ...process.env, npm_config_cache: cache.folder, npm_config_offline: 'true' };
    const { stdout } = await run('npx', ['assay', '--version'], { cwd: checkout, env });
    expect(stdout).to.match(/^assay\//);
    expect(statSync(built).mtimeMs).to.equal(before);
  });
});

function isThere(file: string): boolean {
  return statSync(posix.join(checkout, file), { throwIfNoEntry: false }) !== undefined;
}
