import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/bar-table.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followEvents } from './api/events.js';
import { createQueryClient } from './api/queries.js';
import { App } from './app/app.js';
import { notifyOfEnds } from './app/run-end-notification.js';
import { loadWhenIdle } from './components/controls/loadable.js';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for the app.');

const cache = createQueryClient();
const connection = followEvents(cache, notifyOfEnds(cache));

createRoot(root).render(
  <StrictMode>
    <App cache={cache} connection={connection} />
  </StrictMode>,
);
loadWhenIdle();
import('./app/cut-texts.js').then(
  ({ showCutTexts }) => showCutTexts(),
  () => {},
);
