/** The user's choice; `system` follows the system. public/theme.js also reads it, before the first paint. */
type Theme = 'light' | 'dark' | 'system';

const key = 'assay.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function read(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Sets a theme and stores it. */
function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Without storage, the theme applies to this page only.
  }
}

/** Switches between light and dark; to `system` if that gives the same. */
export function flipTheme(): void {
  const theme = read();
  const isDark = theme === 'system' ? system.matches : theme === 'dark';
  setTheme(isDark === system.matches ? (isDark ? 'light' : 'dark') : 'system');
}
