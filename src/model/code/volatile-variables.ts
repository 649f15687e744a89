/** Variables of the terminal and the shell, and two that Node looks at. */
const ofTerminal: ReadonlySet<string> = new Set([
  ...['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'COLUMNS', 'LINES'],
  ...['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS', 'PWD', 'OLDPWD', 'SHLVL', '_', 'TMUX'],
  ...['WT_SESSION', 'NODE_V8_COVERAGE', 'WATCH_REPORT_DEPENDENCIES'],
]);

/**
 * Variables of one session, one start by npm, or one job in CI. Only full names: an app has others with the same beginning.
 * Sources: https://docs.github.com/actions/reference/workflows-and-actions/variables,
 * https://docs.gitlab.com/ci/variables/predefined_variables/, https://docs.npmjs.com/cli/using-npm/scripts,
 * https://docs.docker.com/reference/cli/docker/container/run/ (HOSTNAME), November 2026.
 */
const ofStart: ReadonlySet<string> = new Set([
  ...['TERM_SESSION_ID', 'ITERM_SESSION_ID', 'TMUX_PANE', 'STY', 'WINDOW', 'WINDOWID', 'DISPLAY'],
  ...[
    'WAYLAND_DISPLAY',
    'SSH_AUTH_SOCK',
    'SSH_AGENT_PID',
    'SSH_CLIENT',
    'SSH_CONNECTION',
    'SSH_TTY',
  ],
  ...['XDG_SESSION_ID', 'XDG_VTNR', 'XDG_SEAT', 'DBUS_SESSION_BUS_ADDRESS', 'INVOCATION_ID'],
  ...['JOURNAL_STREAM', 'LS_COLORS', 'VSCODE_PID', 'VSCODE_IPC_HOOK', 'VSCODE_IPC_HOOK_CLI'],
  ...['VSCODE_GIT_IPC_HANDLE', 'VSCODE_GIT_ASKPASS_NODE', 'VSCODE_GIT_ASKPASS_MAIN', 'HOSTNAME'],
  ...['INIT_CWD', 'NODE', 'EDITOR', 'COLOR', 'npm_command', 'npm_execpath', 'npm_node_execpath'],
  ...['npm_lifecycle_event', 'npm_lifecycle_script', 'npm_package_json', 'npm_config_user_agent'],
  ...['npm_config_local_prefix', 'npm_config_global_prefix', 'npm_config_prefix'],
  ...['npm_config_cache', 'npm_config_globalconfig', 'npm_config_userconfig'],
  ...['npm_config_init_module', 'npm_config_node_gyp', 'npm_config_noproxy'],
  ...['npm_config_npm_version', 'GITHUB_ACTION', 'GITHUB_ACTION_PATH', 'GITHUB_ACTION_REF'],
  ...['GITHUB_ACTION_REPOSITORY', 'GITHUB_ACTOR', 'GITHUB_ACTOR_ID', 'GITHUB_BASE_REF'],
  ...['GITHUB_ENV', 'GITHUB_EVENT_NAME', 'GITHUB_EVENT_PATH', 'GITHUB_HEAD_REF', 'GITHUB_JOB'],
  ...['GITHUB_OUTPUT', 'GITHUB_PATH', 'GITHUB_REF', 'GITHUB_REF_NAME', 'GITHUB_REF_PROTECTED'],
  ...['GITHUB_REF_TYPE', 'GITHUB_RUN_ATTEMPT', 'GITHUB_RUN_ID', 'GITHUB_RUN_NUMBER', 'GITHUB_SHA'],
  ...['GITHUB_STATE', 'GITHUB_STEP_SUMMARY', 'GITHUB_TOKEN', 'GITHUB_TRIGGERING_ACTOR'],
  ...['GITHUB_WORKFLOW', 'GITHUB_WORKFLOW_REF', 'GITHUB_WORKFLOW_SHA', 'RUNNER_NAME'],
  ...['RUNNER_TEMP', 'RUNNER_TRACKING_ID', 'RUNNER_WORKSPACE', 'RUNNER_DEBUG'],
  ...['ACTIONS_CACHE_URL', 'ACTIONS_RESULTS_URL', 'ACTIONS_RUNTIME_TOKEN', 'ACTIONS_RUNTIME_URL'],
  ...['ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ORCHESTRATION_ID'],
  ...['CI_BUILDS_DIR', 'CI_CONCURRENT_ID', 'CI_CONCURRENT_PROJECT_ID', 'CI_COMMIT_AUTHOR'],
  ...['CI_COMMIT_BEFORE_SHA', 'CI_COMMIT_BRANCH', 'CI_COMMIT_DESCRIPTION', 'CI_COMMIT_MESSAGE'],
  ...['CI_COMMIT_REF_NAME', 'CI_COMMIT_REF_SLUG', 'CI_COMMIT_SHA', 'CI_COMMIT_SHORT_SHA'],
  ...['CI_COMMIT_TIMESTAMP', 'CI_COMMIT_TITLE', 'CI_JOB_ID', 'CI_JOB_NAME', 'CI_JOB_STAGE'],
  ...['CI_JOB_STARTED_AT', 'CI_JOB_TOKEN', 'CI_JOB_URL', 'CI_PIPELINE_CREATED_AT'],
  ...['CI_PIPELINE_ID', 'CI_PIPELINE_IID', 'CI_PIPELINE_SOURCE', 'CI_PIPELINE_URL'],
  ...['CI_REGISTRY_PASSWORD', 'CI_REPOSITORY_URL', 'CI_RUNNER_DESCRIPTION', 'CI_RUNNER_ID'],
  ...['CI_RUNNER_SHORT_TOKEN', 'GITLAB_USER_EMAIL', 'GITLAB_USER_ID', 'GITLAB_USER_LOGIN'],
  ...['GITLAB_USER_NAME', 'CI'],
]);

/** True for variables whose reading counts only where code of the project reads them: packages choose colours by them. */
export function isOfTerminal(name: string): boolean {
  return ofTerminal.has(name);
}

/** The name for a copy of the whole environment. */
export const wholeEnvironment = '*';

/** What a copy of the whole environment counts as. */
export function environmentText(env: NodeJS.ProcessEnv): string {
  const names = Object.keys(env).filter((name) => !ofTerminal.has(name) && !ofStart.has(name));
  return JSON.stringify(names.sort().map((name) => [name, env[name]]));
}
