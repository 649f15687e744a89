import { MenuItem } from '../../components/controls/menu.js';
import { jumpTo, sectionInView, sectionsIn } from './use-outline.js';

/** The menu of the sections of a result, as they are when it opens. */
export function SectionItems() {
  const sections = sectionsIn(document.querySelector('main') ?? document);
  const current = sectionInView(sections);
  return sections.map((element) => {
    const title = element.querySelector('h2')?.textContent ?? '';
    return (
      <MenuItem
        key={element.getAttribute('aria-labelledby')}
        current={element === current}
        // Once the menu has given the focus back, which scrolls.
        onClick={() =>
          requestAnimationFrame(() => jumpTo({ element, title, note: '', isHeading: false }))
        }
      >
        {title}
      </MenuItem>
    );
  });
}
