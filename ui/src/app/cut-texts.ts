import styles from './cut-texts.module.css';

/** Milliseconds that the pointer or the focus rests before the whole text is shown; longer for rows, which keys walk along. */
const restsFor = 500;
const restsOnRow = 1000;
/** Maximum characters of a text, and of one cell when a row shows several. */
const most = 1500;
const mostOfCell = 300;
/** What has the focus as one thing: not a whole page or panel. */
const controls =
  '[role=row], a, button, summary, label, [role^=menuitem], [role=option], [tabindex="0"]';
/** Maximum elements that are looked at. */
const mostParts = 60;

/**
 * Shows the whole of texts that are cut with an ellipsis, for the element under the pointer or with the focus. Measures
 * only when it rests there, so rows that scroll by cost nothing.
 */
export function showCutTexts(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tip: HTMLElement | undefined;
  const hide = () => {
    clearTimeout(timer);
    tip?.remove();
    tip = undefined;
  };
  /** `from`: the cut element; below `at`, which may be its row. */
  const show = (at: Element, from: Element | undefined, texts: readonly string[]) => {
    if (from === undefined || !at.isConnected) return;
    hide();
    tip = document.createElement('div');
    tip.className = styles.tip ?? '';
    tip.role = 'tooltip';
    // Screen readers read the element, which has the whole text.
    tip.ariaHidden = 'true';
    for (const text of texts) {
      const line = document.createElement('p');
      line.textContent = text;
      tip.append(line);
    }
    document.body.append(tip);
    const { top, bottom } = at.getBoundingClientRect();
    placeTip(tip, { left: from.getBoundingClientRect().left, top, bottom });
  };
  const later = (act: () => void, after = restsFor) => {
    hide();
    timer = setTimeout(act, after);
  };
  document.addEventListener('pointerover', ({ target, pointerType, buttons }) => {
    if (!(target instanceof Element) || pointerType === 'touch' || buttons !== 0) return;
    later(() => {
      const cut = cutAround(target);
      // The browser shows titles by itself.
      if (cut && !hasTitle(cut)) show(cut, cut, [wholeOf(cut, most)]);
    });
  });
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element) || !target.matches(controls)) return;
    const isRow = target.role === 'row';
    const look = () => {
      if (document.activeElement !== target || !target.matches(':focus-visible')) return;
      const cuts = isRow ? cutsIn(target) : cutsIn(target).slice(0, 1);
      const around = cuts.length > 0 ? cuts : [cutAround(target)].flatMap((cut) => cut ?? []);
      const longest = around.length > 1 ? mostOfCell : most;
      show(target, around[0], [...new Set(around.map((cut) => wholeOf(cut, longest)))]);
    };
    later(look, isRow ? restsOnRow : restsFor);
  });
  for (const type of ['pointerdown', 'keydown', 'wheel', 'scroll', 'focusout', 'blur'] as const) {
    window.addEventListener(type, hide, { capture: true, passive: true });
  }
  document.addEventListener('pointerleave', hide);
}

/** The cut element that the pointer is in: an ancestor, or a part of the same cell or control. */
function cutAround(target: Element): Element | undefined {
  for (
    let at: Element | null = target, n = 0;
    at !== null && n < 4;
    at = at.parentElement, n += 1
  ) {
    if (isCut(at)) return at;
  }
  const cell = target.closest('a, button, label, [role=gridcell], [role=rowheader], td, th, dd');
  return cell === null ? undefined : cutsIn(cell)[0];
}

function cutsIn(element: Element): Element[] {
  const parts = [element, ...element.querySelectorAll('*')].slice(0, mostParts);
  return parts.filter(isCut);
}

function isCut(element: Element): boolean {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  if (scrollWidth <= clientWidth && scrollHeight <= clientHeight) return false;
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (textOverflow === 'ellipsis' && scrollWidth > clientWidth) return true;
  return webkitLineClamp !== 'none' && scrollHeight > clientHeight;
}

/** The text of an element; of the whole name if it is a part of one. */
function wholeOf(element: Element, longest: number): string {
  const text = (element.closest('[data-cut]') ?? element).textContent.trim();
  return text.length > longest ? `${text.slice(0, longest)} …` : text;
}

function hasTitle(element: Element): boolean {
  return element.closest('[title]') !== null;
}

/** Below the element, or above it where there is no room; within the window. */
function placeTip(
  tip: HTMLElement,
  { left, top, bottom }: Pick<DOMRect, 'left' | 'top' | 'bottom'>,
): void {
  const { width, height } = tip.getBoundingClientRect();
  const gap = 4;
  const isBelow = bottom + gap + height <= innerHeight || top < height + gap;
  tip.style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`;
  tip.style.top = `${isBelow ? Math.min(bottom + gap, innerHeight - gap - 20) : top - gap - height}px`;
}
