// What is measured inside the page: each function is sent to the browser as it stands, so it knows nothing of this file.

/** Notes when the first row with its values has been painted, in milliseconds from the start of the navigation. */
export function noteFirstRows() {
  const look = () => {
    if (document.querySelector('[role=row][data-result]') === null) requestAnimationFrame(look);
    // The frame that shows it ends after its callbacks; a task comes after the frame.
    else requestAnimationFrame(() => setTimeout(() => (window.firstRowsAt = performance.now())));
  };
  requestAnimationFrame(look);
}

/** Bytes of script that came for this page, as they were sent. */
export function scriptBytes() {
  return performance
    .getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

/**
 * Scrolls from the first row to the last in so many seconds. Milliseconds: the longest gap between two frames, and the
 * longest time in which something in sight was blank.
 */
export async function scrollThrough(seconds) {
  const grid = document.querySelector('[role=grid], [role=treegrid]');
  const first = grid.getBoundingClientRect().top + scrollY;
  const last = document.documentElement.scrollHeight - innerHeight;
  const frame = () => new Promise(requestAnimationFrame);
  const isBlankAt = (y) => {
    const row = document.elementFromPoint(innerWidth / 2, y)?.closest('[role=row]');
    if (row === null || row === undefined) return true;
    return row.getAttribute('aria-busy') === 'true';
  };
  const lines = Array.from({ length: 6 }, (_, n) => 40 + (n * (innerHeight - 50)) / 5);
  const begun = await frame();
  let before = begun;
  let blankSince;
  const found = { gap: 0, blank: 0, frames: 0, blankFrames: 0 };
  for (let isDone = false; !isDone; ) {
    const share = Math.min(1, (before - begun) / (seconds * 1000));
    scrollTo(0, first + share * (last - first));
    const now = await frame();
    found.gap = Math.max(found.gap, now - before);
    found.frames += 1;
    const isBlank = lines.some(isBlankAt);
    if (isBlank) {
      found.blankFrames += 1;
      blankSince ??= before;
      found.blank = Math.max(found.blank, now - blankSince);
    } else blankSince = undefined;
    before = now;
    isDone = share === 1 && !isBlank;
  }
  return found;
}

/** Jumps to a place, as a share of the rows. Milliseconds until all in sight is there. */
export async function jumpTo(share) {
  const first =
    document.querySelector('[role=grid], [role=treegrid]').getBoundingClientRect().top + scrollY;
  const last = document.documentElement.scrollHeight - innerHeight;
  const frame = () => new Promise(requestAnimationFrame);
  const isBlankAt = (y) => {
    const row = document.elementFromPoint(innerWidth / 2, y)?.closest('[role=row]');
    return row === null || row === undefined || row.getAttribute('aria-busy') === 'true';
  };
  const lines = Array.from({ length: 6 }, (_, n) => 40 + (n * (innerHeight - 50)) / 5);
  const begun = performance.now();
  scrollTo(0, first + share * (last - first));
  do await frame();
  while (lines.some(isBlankAt));
  return performance.now() - begun;
}

/** Waits until so many results are said to match, and are painted. Milliseconds since the search was last typed in. */
export async function searchPainted(matching) {
  const frame = () => new Promise(requestAnimationFrame);
  const said = () => document.querySelector('nav[aria-label=Filters] [role=status]')?.textContent;
  const grid = document.querySelector('[role=grid], [role=treegrid]');
  while (
    !said()?.startsWith(`${matching} of`) ||
    grid.getAttribute('aria-busy') === 'true' ||
    grid.querySelector('[role=row][aria-busy=true]') !== null
  ) {
    await frame();
  }
  await frame();
  return performance.now() - window.typedAt;
}

/** Notes when something is typed. */
export function noteTyping() {
  addEventListener('input', () => (window.typedAt = performance.now()), { capture: true });
}

/** Notes for each row that says when its evaluation finished how much later that is on screen, in milliseconds. */
export function noteFinishes() {
  window.finishes = new Map();
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('[role=row][data-result]')) {
      const at = Number(/finished at (\d{13})/.exec(row.textContent)?.[1]);
      if (!(at > 0) || window.finishes.has(row.dataset.result)) continue;
      window.finishes.set(row.dataset.result, undefined);
      requestAnimationFrame(() =>
        setTimeout(() => window.finishes.set(row.dataset.result, Date.now() - at)),
      );
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}
