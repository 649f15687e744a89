// Runs the commands below on a terminal of 92 columns and draws what they print: docs/images/*.svg. Then takes pictures of the
// web UI: docs/images/*.png. Needs `script` of util-linux, Chromium, and a build. Times and run names differ with every call.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { terminalToSvg } from './terminal-to-svg.mjs';
import { webUiPictures } from './web-ui-pictures.mjs';

const root = new URL('..', import.meta.url);
const pictures = {
  'run.svg': 'run examples/sentiment',
  'trials.svg': 'run examples/agent-trials',
};

const scratch = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
try {
  for (const [file, command] of Object.entries(pictures)) {
    const shown = `$ npx assay ${command}`;
    const svg = terminalToSvg(`${shown}\n${capture(command)}`, `What ${shown.slice(2)} prints`);
    save(file, svg);
  }
  await webUiPictures({ root: fileURLToPath(root), scratch, save });
} finally {
  rmSync(scratch, { recursive: true });
}

function save(file, content) {
  writeFileSync(new URL(`docs/images/${file}`, root), content);
}

function capture(command) {
  const typescript = join(scratch, 'typescript');
  execFileSync('script', ['-qec', `stty cols 92; node bin/run.js ${command}`, typescript], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: scratch,
      TERM: 'xterm-256color',
      ASSAY_RESULTS_DIR: join(scratch, 'sessions'),
    },
  });
  return readFileSync(typescript, 'utf8')
    .replace(/^Script started.*\n/, '')
    .replace(/\n*Script done.*\n$/, '\n');
}
