import './node.js';
import '../src/styles/fonts.css';
import '../src/styles/tokens.css';
import '../src/styles/base.css';
import '../src/styles/layout.css';
import '../src/styles/bar-table.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { EventConnection } from '../src/api/connection.js';
import { createQueryClient } from '../src/api/queries.js';
import { App } from '../src/app/app.js';
import { showCutTexts } from '../src/app/cut-texts.js';
import { reportApi } from './api.js';
import { addFile } from './disk.js';

/** What the file says of itself. */
interface About {
  /** The run that the report opens with. */
  readonly run: string;
  /** The page that it opens, such as `/compare?run=…`. */
  readonly page: string;
  /** Why nothing can be changed, as a sentence. */
  readonly why: string;
}

async function begin(): Promise<void> {
  const about: About = JSON.parse(document.getElementById('about')?.textContent ?? '');
  for (const element of document.querySelectorAll<HTMLElement>('script[data-file]')) {
    addFile(element.dataset.file ?? '', await unpack(element.textContent ?? ''));
    element.remove();
  }
  globalThis.fetch = reportApi(about.run, about.why);
  if (!location.hash.startsWith('#/')) history.replaceState(null, '', `#${about.page}`);
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no place for the report.');
  const connection = new EventConnection({ onEvent: () => {}, onOpen: () => {} });
  createRoot(root).render(
    <StrictMode>
      <Router hrefs={(href) => `#${href}`}>
        <App cache={createQueryClient()} connection={connection} notice={about.why} />
      </Router>
    </StrictMode>,
  );
  showCutTexts();
}

/** Bytes that were compressed with gzip and written as base64. */
async function unpack(text: string): Promise<Uint8Array> {
  const signs = atob(text);
  const packed = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at += 1) packed[at] = signs.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

void begin();
