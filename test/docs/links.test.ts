import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { headingAnchor } from '../../site/heading-anchor.js';
import { sidebarOf } from '../../site/sidebar.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name));
const examples = below('examples').filter((file) => file.endsWith('README.md'));
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below('docs'), ...examples];
const own = /^https:\/\/github\.com\/assay-dev\/assay\/(?:blob|tree)\/main\//;

/** A document without its blocks of code. */
const proseOf = (file: string) => read(file).replaceAll(/^( *)```.*?^\1```$/gms, '');

/** What a document links to and shows. */
function targetsIn(file: string): string[] {
  const text = proseOf(file).replaceAll(/`[^`\n]*`/g, 'code');
  const found = text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g);
  return [...found].map(([, link, attribute]) => link ?? attribute ?? '');
}

const anchors = new Map<string, ReadonlySet<string>>();

/** The anchors of the headings of a document. */
function anchorsOf(file: string): ReadonlySet<string> {
  const known = anchors.get(file);
  if (known !== undefined) return known;
  const made = new Set<string>();
  for (const [, heading = ''] of proseOf(file).matchAll(/^#{1,6} (.+)$/gm)) {
    const shown = heading.replaceAll('`', '').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
    const anchor = headingAnchor(shown);
    let unique = anchor;
    for (let n = 1; made.has(unique); n += 1) unique = `${anchor}-${n}`;
    made.add(unique);
  }
  anchors.set(file, made);
  return made;
}

/** Why a link leads nowhere; `undefined` for a good one, or one to elsewhere. */
function faultOf(document: string, target: string): string | undefined {
  const local = target.replace(own, '');
  if (/^[a-z]+:/.test(local)) return undefined;
  const [path = '', anchor] = local.split('#');
  const base = local === target ? posix.dirname(document) : '.';
  const file = path === '' ? document : posix.join(base, path);
  if (!existsSync(join(root, file))) return `${document}: ${target} does not exist`;
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor))
    return undefined;
  return `${document}: ${target} has no such heading`;
}

describe('the documents', () => {
  it('link to files, pictures and headings that exist', () => {
    const all = documents.flatMap((file) =>
      targetsIn(file).map((target) => [file, target] as const),
    );
    expect(all).to.have.length.above(500);
    expect(all.flatMap(([file, target]) => faultOf(file, target) ?? [])).to.deep.equal([]);
  });

  it('are all in the sidebar of the site', () => {
    const groups = sidebarOf(read('docs/README.md'));
    const names = ['Start', 'Write', 'Run', 'Judge', 'Look', 'Reference', 'Decisions'];
    expect(groups.map(({ text }) => text)).to.deep.equal(names);
    const listed = groups.flatMap(({ items }) => items.map(({ link }) => `docs${link}.md`));
    const pages = below('docs').filter((file) => file !== 'docs/README.md');
    expect(listed.sort()).to.deep.equal(pages.sort());
  });

  it('begin with what the reader can do after reading them', () => {
    const pages = below('docs').filter((file) => !/README|\/decisions\//.test(file));
    const without = pages.filter((file) => {
      const [, first = ''] = read(file)
        .replaceAll(/<!--.*?-->\n\n/gs, '')
        .split('\n\n');
      return !first.startsWith('After reading this page, you ');
    });
    expect(without).to.deep.equal([]);
  });
});
