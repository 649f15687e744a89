// Before the first paint, so that a chosen theme does not flash in the other one. See src/app/theme.ts.
try {
  const theme = localStorage.getItem('assay.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden: then the system's theme it is.
}
