import type { ComponentPropsWithoutRef } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { imageUrl } from '../../../../src/model/calls/message-parts.js';
import type { Range } from '../diff/differences.js';
import { markWords } from '../diff/mark-words.js';
import styles from './markdown.module.css';
import { webUrl } from './safe-url.js';

const plugins = [remarkGfm];

const components: Components = {
  a: ({ href, children }) => <WebLink href={href}>{children}</WebLink>,
  img: ({ src, alt }) => <Picture src={src} alt={alt} />,
  table: ({ node: _, ...rest }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with keys
    <div className={styles.scroll} role="group" tabIndex={0} aria-label="Table">
      <table {...rest} />
    </div>
  ),
  pre: ({ node: _, ...rest }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with keys
    <pre tabIndex={0} {...rest} />
  ),
};

/** Rendered Markdown; HTML in it is shown as text. `marks`: ranges of the source to highlight. */
export function Markdown({
  text,
  marks,
}: {
  text: string;
  marks?: { readonly ranges: readonly Range[]; readonly className: string } | undefined;
}) {
  return (
    <div className={styles.markdown}>
      <ReactMarkdown
        remarkPlugins={plugins}
        rehypePlugins={[
          rankHeadings,
          ...(marks ? [markWords(text, marks.ranges, marks.className)] : []),
        ]}
        urlTransform={(url) => imageUrl(url) ?? webUrl(url) ?? ''}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

/** The used part of a node of an HTML tree. */
interface Tagged {
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Tagged[];
}

/** A rehype plugin: headings of a text rank below those of the page, without a gap, whichever it begins with. */
function rankHeadings() {
  return (root: Tagged) => {
    const levels: number[] = [];
    const rank = (node: Tagged) => {
      const level = Number(/^h([1-6])$/.exec(node.tagName ?? '')?.[1]);
      if (level > 0) {
        while ((levels.at(-1) ?? 0) >= level) levels.pop();
        levels.push(level);
        node.tagName = `h${Math.min(6, levels.length + 2)}`;
        node.properties = { ...node.properties, dataLevel: level };
      }
      node.children?.forEach(rank);
    };
    rank(root);
  };
}

/** A link to the web; other links are plain text. */
export function WebLink({
  href,
  children,
}: Pick<ComponentPropsWithoutRef<'a'>, 'href' | 'children'>) {
  const address = webUrl(href);
  if (address === undefined) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** External images are not loaded; they are links. */
function Picture({ src, alt }: Pick<ComponentPropsWithoutRef<'img'>, 'src' | 'alt'>) {
  const url = imageUrl(src);
  if (url !== undefined) return <img src={url} alt={alt ?? ''} />;
  const address = typeof src === 'string' ? src : undefined;
  return <WebLink href={address}>[{alt || 'image'}]</WebLink>;
}
