import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type MarkdownRenderer } from 'vitepress';
import { headingAnchor } from '../heading-anchor.js';
import { sidebarOf } from '../sidebar.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const repository = 'https://github.com/assay-dev/assay';
const groups = sidebarOf(readFileSync(join(root, 'docs/README.md'), 'utf8'));

/** The site of `docs`: the same files as on GitHub, with a sidebar, a search and both themes. It loads nothing from elsewhere. */
export default defineConfig({
  title: 'assay',
  description: 'Evaluations for LLM apps and agents, written as typed functions.',
  lang: 'en',
  srcDir: '../docs',
  outDir: '../dist-site',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: { 'README.md': 'index.md' },
  // The search loads its index, and the REST API is one page.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  head: [['link', { rel: 'icon', href: '/favicon.svg' }]],
  markdown: {
    anchor: { slugify: headingAnchor },
    config: (md) => {
      linkToRepository(md);
      showPicturesOfBothThemes(md);
      keepFlagsWhole(md);
    },
  },
  transformPageData(page) {
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, home);
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'Commands', link: '/cli' },
    ],
    sidebar: groups.map((group) => ({ ...group, collapsed: group.text === 'Decisions' })),
    socialLinks: [{ icon: 'github', link: repository }],
  },
  buildEnd({ outDir }) {
    copyFileSync(join(root, 'docs/openapi.json'), join(outDir, 'openapi.json'));
    copyFileSync(join(root, 'ui/public/favicon.svg'), join(outDir, 'favicon.svg'));
  },
});

const home = {
  layout: 'home',
  hero: {
    name: 'assay',
    text: 'Evaluations for LLM apps and agents',
    tagline: 'Typed functions, run from the terminal. Results are plain text files on your disk.',
    actions: [
      { text: 'Tutorial: five minutes', link: '/tutorial' },
      { text: 'Recipes', link: '/recipes', theme: 'alt' },
    ],
  },
};

/** Links to files of the repository outside of `docs` lead to GitHub. */
function linkToRepository(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      const target = link.type === 'link_open' ? (link.attrGet('href') ?? '') : '';
      const file = posix.join('docs', posix.dirname(env.relativePath), target);
      if (target.startsWith('../') && !file.startsWith('docs/')) {
        link.attrSet('href', `${repository}/blob/main/${file}`);
      }
    }
  });
}

/** A picture of the light theme stands for that of the dark theme beside it. */
function showPicturesOfBothThemes(md: MarkdownRenderer): void {
  const render = md.renderer.rules.image;
  md.renderer.rules.image = (tokens, at, options, env, self) => {
    const image = tokens[at];
    const light = image?.attrGet('src') ?? '';
    const dark = light.replace(/-light\.png$/, '-dark.png');
    const show = () => render?.(tokens, at, options, env, self) ?? '';
    if (image === undefined || dark === light || !existsSync(join(root, 'docs', dark)))
      return show();
    image.attrSet('class', 'in-light');
    const shown = show();
    image.attrSet('src', dark);
    image.attrSet('class', 'in-dark');
    return shown + show();
  };
}

/** A line does not end within `--flag`. */
function keepFlagsWhole(md: MarkdownRenderer): void {
  const render = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (...args) =>
    (render?.(...args) ?? '').replace(/(?<=[>\s|])--[a-z-]+/g, '<span class="flag">$&</span>');
}
