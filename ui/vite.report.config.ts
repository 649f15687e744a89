import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const own = (name: string) => join(import.meta.dirname, 'report', name);

/** Lets the page run its own script, and load and send nothing. */
function policy(): Plugin {
  const file = join(import.meta.dirname, '../dist/report/index.html');
  return {
    name: 'report-policy',
    closeBundle: () => {
      const page = readFileSync(file, 'utf8');
      const [, script = ''] = /<script type="module"[^>]*>(.*?)<\/script>/s.exec(page) ?? [];
      const hash = createHash('sha256').update(script).digest('base64');
      const rules = [
        "default-src 'none'",
        `script-src 'sha256-${hash}'`,
        "style-src 'unsafe-inline'",
        'img-src data: blob:',
        'font-src data:',
        "base-uri 'none'",
        "form-action 'none'",
      ];
      const meta = `<meta http-equiv="Content-Security-Policy" content="${rules.join('; ')}" />`;
      writeFileSync(
        file,
        page.replace('<meta charset="utf-8" />', (found) => `${found}\n    ${meta}`),
      );
    },
  };
}

/** The page of a report: the web UI, and the API of the server over files that are in the page. */
export default defineConfig({
  root: join(import.meta.dirname, 'report'),
  plugins: [react(), viteSingleFile({ removeViteModuleLoader: true }), policy()],
  define: { __REPORT__: true },
  resolve: {
    alias: [
      { find: /^node:.*$/, replacement: own('node.ts') },
      { find: /^sirv$/, replacement: own('none.ts') },
      { find: /^.*\/use-browser-location(\.js)?$/, replacement: own('page-address.ts') },
      { find: /^.*\/page-address\.js$/, replacement: own('page-address.ts') },
    ],
  },
  build: {
    outDir: '../../dist/report',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What only writes is missing in node.ts.
    rolldownOptions: { shimMissingExports: true },
  },
});
