import { execute } from '../../dist/cli-bundle/cli/main.js';

// Runs commands of the command line one after another in this process, as `commands.ts` asks for them: a process of
// its own for each would take longer to start than most commands take. A command ends when nothing is left to do, as a
// process does: both streams then get the mark that came with it, and its exit code is sent.

const dir = new URL('../..', import.meta.url).pathname;

/** What a process would have lost at its end. */
const events = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'];
const kept = new Map(events.map((event) => [event, process.listeners(event)]));
let mark;

// The bundle ends the process as soon as nothing is left to do.
process.removeAllListeners('beforeExit');
process.exit = (code) => {
  process.exitCode ??= code ?? 0;
};
process.on('beforeExit', end);
process.on('disconnect', () => process.reallyExit());
process.on('message', begin);

function begin({ args, cwd, env, mark: given }) {
  mark = given;
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  process.channel.unref();
  void execute({ args, dir });
}

function end() {
  const code = process.exitCode ?? 0;
  const added = events.map((event) => [
    event,
    process.listeners(event).filter((listener) => !kept.get(event).includes(listener)),
  ]);
  for (const [event, listeners] of added) {
    for (const listener of listeners) {
      process.removeListener(event, listener);
      if (event === 'exit') listener(code);
    }
  }
  // The framework waits for it at the end of each command, which comes first.
  process.stdout.removeAllListeners('drain');
  process.chdir('/');
  process.channel.ref();
  process.stdout.write(mark);
  process.stderr.write(mark);
  process.send(code);
}
