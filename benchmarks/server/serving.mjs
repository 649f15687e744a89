import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

/** Starts `assay serve` in a folder and waits until it can be reached. */
export async function serve(folder, root) {
  const args = ['serve', '--port', '0', '--no-open', '--json', '--results-dir', root];
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`assay serve ended with ${code}`)));
    child.stdout.once('data', (text) => resolve(JSON.parse(String(text)).url));
  });
  const agent = new Agent({ keepAlive: true });
  return {
    url,
    /** Sends a request; answers with status, body and times in milliseconds. */
    send: (method, path, body) => send(agent, `${url}${path}`, method, body),
    /** Memory of the server in MB: now, and the most it ever was. */
    memory: () => memoryOf(child.pid),
    /** Processor time of the server so far in milliseconds. */
    processorTime: () => processorTimeOf(child.pid),
    /** Waits for the next event of a kind; answers with a promise and when the stream is open. */
    events: () => openEvents(`${url}/api/events`),
    close: async () => {
      agent.destroy();
      child.removeAllListeners('exit');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
    },
  };
}

function send(agent, url, method, body) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { agent, method, headers }, (response) => {
      let first;
      const chunks = [];
      response.on('data', (chunk) => {
        first ??= performance.now() - began;
        chunks.push(chunk);
      });
      response.on('end', () => {
        const took = performance.now() - began;
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode >= 400) reject(new Error(`${method} ${url}: ${text}`));
        else resolve({ text, first, took });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

function processorTimeOf(pid) {
  // Behind the name, which may have spaces: the fields from the third on, times in hundredths of seconds.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function openEvents(url) {
  return new Promise((resolve, reject) => {
    const sent = request(url, (response) => {
      let waiting = () => {};
      response.setEncoding('utf8').on('data', (text) => {
        if (text.includes('event:')) waiting(performance.now());
      });
      resolve({
        next: () =>
          new Promise((told) => {
            waiting = told;
          }),
        close: () => sent.destroy(),
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
