import { expect } from 'chai';
import { unseenProgram } from '../../src/calls/unseen-program.js';

const nameIn = (command: string, known: readonly string[] = []) =>
  unseenProgram('/bin/sh', ['-c', command], (name) => known.includes(name));

describe('a program whose calls are not seen', () => {
  it('is every program but those that are known to call no model', () => {
    const run = (...[file = '', ...args]: string[]) => unseenProgram(file, args, () => false);
    expect(run('curl', '-sS', 'https://api.example')).to.equal('curl');
    expect(run('/usr/bin/python3', 'agent.py')).to.equal('python3');
    expect(run('C:\\tools\\agent.exe')).to.equal('agent');
    expect(run('bash', 'agent.sh')).to.equal('bash');
    expect(run('git', 'commit', '-m', 'x')).to.equal(undefined);
    expect(run('npm', 'test')).to.equal(undefined);
    expect(run('npm', '--silent', 'run', 'build')).to.equal(undefined);
    expect(run('npm', 'exec', 'agent')).to.equal('agent');
    expect(run('npx', '--yes', 'agent', '-p')).to.equal('agent');
    expect(run('npx', 'tsc', '--noEmit')).to.equal(undefined);
    expect(run('env', 'A=1', 'python3', 'x.py')).to.equal('python3');
    expect(run('timeout', '5', 'git', 'fetch')).to.equal(undefined);
  });

  it('is looked for in all that a shell runs', () => {
    const found: Readonly<Record<string, string | undefined>> = {
      'cd /tmp && KEY=1 curl -d @body x | jq .': 'curl',
      'git status; npm test 2>&1 | tail -5 > out.txt': undefined,
      'echo "$(curl x)"': 'curl',
      'echo `curl x`': 'curl',
      "echo 'curl x; curl y'": undefined,
      'git commit -m "a; curl b"': undefined,
      'if [ -f a ]; then python3 a.py; fi': 'python3',
      'for f in *.ts; do cat "$f"; done # curl': undefined,
      '{ git diff; } && (cd a && ls)': undefined,
      'echo $((1 + 2))': undefined,
      'command -v curl': undefined,
      '"./agent" --now': 'agent',
      '$TOOL x': '$TOOL',
      "cat > a.py <<'EOF'\ncurl x\n$(curl y)\nEOF\ngit add a.py": undefined,
      'cat <<EOF\n$(curl y)\nEOF': 'curl',
      'bash -lc "git log"': undefined,
      'xargs -n 1 curl < urls': 'curl',
      'npm --prefix pk start': 'npm',
      'npm --loglevel error start': 'npm',
      'npm --prefix pk test -- --grep start': undefined,
      'npm exec vitest run': undefined,
      'find . -exec ./agent.sh {} +': 'agent.sh',
      'find . -name "*.ts"': undefined,
      './bin/git log': 'git',
      './gradlew build': undefined,
      'python3 -m pytest -q': undefined,
      'python3 -m agent': 'python3',
      'node --test': undefined,
      'node agent.js': 'node',
      'curl --version': undefined,
    };
    for (const [command, name] of Object.entries(found)) {
      expect(nameIn(command), command).to.equal(name);
    }
  });

  it('is none that the settings name, and the next one then counts', () => {
    expect(nameIn('python3 a.py && curl x', ['python3'])).to.equal('curl');
    expect(nameIn('python3 a.py', ['python3'])).to.equal(undefined);
    expect(unseenProgram('npx', ['agent'], (name) => name === 'agent')).to.equal(undefined);
  });
});
