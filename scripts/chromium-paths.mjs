/** Where Debian and its like put the browser. The first needs half the processor time: it draws on no screen. */
export const chromiumPaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
