import { WebLink } from '../values/markdown.js';
import { webUrl } from '../values/safe-url.js';
import { ShownPart } from '../values/shown-part.js';
import { visibleText } from '../values/visible-text.js';
import styles from './conversation.module.css';
import type { Source } from './message.js';

/** The sources of a text. */
export function Sources({ sources }: { sources: readonly Source[] }) {
  return (
    <ul className={styles.sources} aria-label="Sources">
      {sources.map(({ title, url, quote }) => {
        const name = title ?? url ?? 'source';
        return (
          <li key={`${title} ${url} ${quote}`}>
            <WebLink href={url}>{visibleText(name)}</WebLink>
            {title !== undefined && webUrl(url) !== undefined && (
              <span className="faint"> {visibleText(hostOf(url))}</span>
            )}
            {quote !== undefined && (
              <q>
                <ShownPart text={visibleText(quote)}>{(part) => part}</ShownPart>
              </q>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function hostOf(url = ''): string {
  return url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/[/?#].*$/, '');
}
