/**
 * Opens an address in the browser if there is a screen; `isWanted` tries in any case. Failures are ignored, because
 * the address has been printed.
 */
export async function openBrowser(
  url: string,
  { isWanted }: { readonly isWanted: boolean },
): Promise<void> {
  if (!isWanted && !hasScreen()) return;
  const { default: open } = await import('open');
  const child = await open(url).catch(() => undefined);
  child?.on('error', () => undefined);
}

function hasScreen(): boolean {
  const { CI, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION, WSL_DISTRO_NAME } = process.env;
  if (!process.stdout.isTTY || CI || SSH_CONNECTION) return false;
  if (process.platform !== 'linux' || WSL_DISTRO_NAME) return true;
  return Boolean(DISPLAY || WAYLAND_DISPLAY);
}
