/** What the reader chose; `system` follows the system. Also read by public/theme.js, before the first paint. */
export type Theme = 'light' | 'dark' | 'system';

const key = 'assay.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function read(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Takes a theme and keeps it for the next time. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Then it holds for this page only.
  }
}

/** Goes to the other of light and dark, from whichever is in sight; back to the system's where that is the same. */
export function flipTheme(): void {
  const theme = read();
  const isDark = theme === 'system' ? system.matches : theme === 'dark';
  setTheme(isDark === system.matches ? (isDark ? 'light' : 'dark') : 'system');
}
