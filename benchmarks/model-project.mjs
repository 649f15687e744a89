import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** A project with one eval file, and the row that runs it with the build of a checkout. */
export function project(cwd, root, source) {
  mkdirSync(join(cwd, 'node_modules'), { recursive: true });
  symlinkSync(root, join(cwd, 'node_modules/assay'), 'junction');
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(cwd, 'bench.eval.ts'), source);
  const command = [process.execPath, join(root, 'bin/run.js'), 'run', 'bench.eval.ts'];
  return { cwd, command, output: join(cwd, 'output.txt'), prepare: () => undefined };
}

/** A model that answers at once, with texts that are never the same. */
export async function startModel() {
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const tail = body.subarray(-40).toString();
    count += 1;
    const size = tail.includes('"size":10000') ? 10_000 : 4_000;
    const content = `${count} `.padEnd(size, 'answer ');
    const usage = { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 };
    const head = { id: `chatcmpl-${count}`, created: 1, model: 'gpt-5-mini' };
    if (!tail.includes('"stream":true')) {
      const message = { role: 'assistant', content };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < 10; at += 1) {
      const delta = { content: content.slice(at * 400, at * 400 + 400) };
      const choices = [{ index: 0, delta, finish_reason: at === 9 ? 'stop' : null }];
      const chunk = { ...head, object: 'chat.completion.chunk', choices };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
