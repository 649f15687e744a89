/** Variables that describe the terminal, the shell and one job in CI, and two that Node looks at. */
const ofTerminal =
  /^(?:TERM|COLORTERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|FORCE_COLOR|NO_COLOR|NODE_DISABLE_COLORS|COLUMNS|LINES|PWD|OLDPWD|SHLVL|_|TMUX|WT_SESSION|NODE_V8_COVERAGE|WATCH_REPORT_DEPENDENCIES)$/;

/** Variables that are different each time something is started, whatever it is. */
const ofStart =
  /^(?:(?:GITHUB|RUNNER|ACTIONS|CI|GITLAB|BUILDKITE|CIRCLE|JENKINS|TRAVIS|BUILD|npm|SSH|XDG|DBUS|ASSAY|VSCODE|ITERM|LC)_.*|CI|TMPDIR|TMUX_PANE|TERM_SESSION_ID|WINDOWID|WINDOW|STY|HOSTNAME|DISPLAY|WAYLAND_DISPLAY|INVOCATION_ID|JOURNAL_STREAM|INIT_CWD|NODE|EDITOR|COLOR|LS_COLORS|ZDOTDIR)$/;

/** True for variables whose reading does not count. */
export function isOfTerminal(name: string): boolean {
  return ofTerminal.test(name);
}

/** The name for a copy of the whole environment. */
export const wholeEnvironment = '*';

/** What a copy of the whole environment counts as. */
export function environmentText(env: NodeJS.ProcessEnv): string {
  const names = Object.keys(env).filter((name) => !ofTerminal.test(name) && !ofStart.test(name));
  return JSON.stringify(names.sort().map((name) => [name, env[name]]));
}
