import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { Markdown } from './markdown.js';
import styles from './values.module.css';

/** Distance from the view within which Markdown is parsed. */
const margin = '300px 0px';

/** Whether only what is near the view is in the page. */
export const IsNear = createContext(false);

/** Markdown that is parsed when it comes near the view; plain text until then. */
export function NearMarkdown({ text }: { text: string }) {
  const place = useRef<HTMLParagraphElement>(null);
  const [isNear, setNear] = useState(useContext(IsNear));
  useEffect(() => {
    if (isNear || place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: margin },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  if (isNear) return <Markdown text={text} />;
  return (
    <p ref={place} className={styles.text}>
      {text}
    </p>
  );
}
