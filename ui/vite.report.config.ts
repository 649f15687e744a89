import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const own = (name: string) => join(import.meta.dirname, 'report', name);

/** The page of a report: the web UI, and the API of the server over files that are in the page. */
export default defineConfig({
  root: join(import.meta.dirname, 'report'),
  plugins: [react(), viteSingleFile({ removeViteModuleLoader: true })],
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
