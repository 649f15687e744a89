/**
 * What CI services read as commands in the output of a build: the character to escape, by what is around it. A text is
 * one line; services that ask for more, such as control characters, are matched by their words alone.
 */
const commands = [
  // GitHub Actions and its kin (Gitea, Forgejo): `::error::`, blanks before it are ignored, of .NET also U+0085.
  // https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
  String.raw`(?<=^[\s\u0085]*):(?=:)`,
  // Anywhere in a line. GitHub and Azure Pipelines: `##[group]`; Azure: `##vso[task.setvariable …]`;
  // TeamCity: `##teamcity[…]`; Octopus Deploy: `##octopus[…]`.
  // https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
  // https://www.jetbrains.com/help/teamcity/service-messages.html
  // https://octopus.com/docs/deployments/custom-scripts/logging-messages-in-scripts
  String.raw`#(?=#\w*\[)`,
  // GitLab: `section_start:1700000000:name`. https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections
  String.raw`s(?=ection_(?:start|end):\d)`,
  // Travis CI: `travis_fold:start:name`, `travis_time:start:id`. https://github.com/travis-ci/travis-build (bash/travis_fold.bash)
  't(?=ravis_(?:fold|time):)',
  // Buildkite: `--- name`, `+++ name`, `~~~ name`, `^^^ +++`. https://buildkite.com/docs/pipelines/configure/managing-log-output
  String.raw`(?<=^)(?:-(?=--[^\S\n])|\+(?=\+\+[^\S\n])|~(?=~~[^\S\n])|\^(?=\^\^\s))`,
];
const pattern = new RegExp(commands.join('|'), 'gimu');
// Nearly all text has none of these.
const maybe = /::|##|section_|travis_|---|\+\+\+|~~~|\^\^\^/i;

/**
 * Makes lines inert for all CI services that read commands from output: one character of each command appears as
 * `show` shows it, such as `\u{3a}`. Everything else stays as it is.
 */
export function escapeCommands(text: string, show: (character: string) => string): string {
  return maybe.test(text) ? text.replace(pattern, show) : text;
}
