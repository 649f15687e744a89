import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';

/** The server the development page talks to: `ASSAY_URL=http://127.0.0.1:8123 npm run ui`. */
const server: ProxyOptions = {
  target: process.env.ASSAY_URL ?? 'http://127.0.0.1:8000',
  changeOrigin: true,
  configure: (proxy) => {
    // The server talks to its own pages only, and this one comes from elsewhere.
    proxy.on('proxyReq', (request) => {
      for (const name of ['origin', 'referer', 'sec-fetch-site']) request.removeHeader(name);
    });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  define: { __REPORT__: false },
  server: { host: '127.0.0.1', proxy: { '/api': server, '^/results$': server } },
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2022',
    // light-dark() is kept as it is written.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // The page's policy allows no fonts from data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        // What every page needs compresses better as one file.
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack|wouter|regexparam)\//,
            },
          ],
        },
      },
    },
  },
});
