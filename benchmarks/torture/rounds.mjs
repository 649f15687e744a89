import { setTimeout as delay } from 'node:timers/promises';
import { rows } from './project.mjs';
import { oneOf } from './random.mjs';

/** A command is killed at a random moment: a new run, or the rest of one that was killed before. */
export async function killCommand({ project, ledger, random }) {
  const args = random() < 0.5 ? ['run'] : ['run', '--resume', 'latest'];
  const { child, ended } = project.start([...args, '-c', oneOf(['1', '4', '20'], random)]);
  await Promise.race([delay(random() * 900), ended]);
  child.kill('SIGKILL');
  if ((await ended).signal === 'SIGKILL') ledger.kills += 1;
}

/** A write, sync or rename of a command fails, or is its last. */
export async function failFiles({ project, ledger, random, note }) {
  const kind = oneOf(['kill', 'torn', 'eio', 'enospc', 'short'], random);
  const fault = `${kind}@${1 + Math.floor(random() * 45)}`;
  const { code, signal, stderr } = await project.start(['run', '-c', '4'], fault).ended;
  ledger.faults += 1;
  if (signal === 'SIGKILL') ledger.kills += 1;
  else if (/^\s+at /m.test(stderr)) note(`${fault} was told with a stack:\n${stderr}`);
  else if (code !== 0 && code !== 2) note(`${fault} ended with exit code ${code}:\n${stderr}`);
}

/** A server executes a run while clients edit and read it, and is killed at a random moment. */
export async function killServer({ project, ledger, random }) {
  const {
    child,
    ended,
    url: told,
  } = project.serve(random() < 0.5 ? ['--start'] : ['--run', 'latest']);
  const url = await told;
  if (url === undefined) return;
  const { run_id } = await fetchJson(`${url}/results`);
  const work = [0, 1, 2].map((who) => edit(url, run_id, who, ledger));
  work.push(watch(url, ledger), random() < 0.3 ? control(url, random) : undefined);
  await delay(random() * 1500);
  child.kill('SIGKILL');
  ledger.kills += 1;
  await Promise.all([...work, ended]);
}

let edits = 0;

/** Annotates results until the server is gone. */
async function edit(url, runId, who, ledger) {
  try {
    for (;;) {
      edits += 1;
      const text = `edit ${edits} by ${who}`;
      const index = (edits * 7 + who) % rows;
      const response = await fetch(`${url}/api/runs/${runId}/results/${index}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ result: { annotation: text } }),
      });
      if (response.status === 200) ledger.edited(runId, text);
      else if (response.status >= 500) ledger.unreadable.push(await response.text());
      await response.arrayBuffer().catch(() => undefined);
      if (response.status === 409) await delay(20);
    }
  } catch {
    // The server is gone.
  }
}

/** Notes which results are shown as completed, until the server is gone. */
async function watch(url, ledger) {
  try {
    for (;;) {
      const { run_id, results } = await fetchJson(`${url}/results`);
      for (const [index, { result }] of results.entries()) {
        if (result.status === 'completed') ledger.completed(run_id, index);
      }
      await delay(5);
    }
  } catch {
    // The server is gone.
  }
}

/** Pauses, resumes and stops as it likes, until the server is gone. */
async function control(url, random) {
  try {
    for (;;) {
      await delay(random() * 100);
      await fetch(`${url}/api/runs/${oneOf(['pause', 'resume', 'stop'], random)}`, {
        method: 'POST',
      });
    }
  } catch {
    // The server is gone.
  }
}

async function fetchJson(url) {
  return (await fetch(url)).json();
}
