import { expect } from 'chai';
import { createApp } from '../../../src/server/app.js';
import { ownNames } from '../../../src/server/http/host-names.js';
import { json } from '../../../src/server/http/route.js';
import { refusal } from '../../store/builders.js';
import { request } from './raw-request.js';
import { countingRoute, folderOf, getRoute, startServer } from './running-server.js';

const token = 'correct-horse-battery';

async function guardedServer() {
  const ui = folderOf({ 'index.html': 'page', 'assets/app-abcdef12.js': 'code' });
  const { route, count } = countingRoute('/api/go');
  const read = getRoute('/results', () => json({ secret: 1 }));
  return { ...(await startServer([read, route], { token, ui })), count };
}

describe('access token', () => {
  it('is wanted for everything: API, pages, files, and what is not there', async () => {
    const { port } = await guardedServer();
    for (const path of ['/results', '/', '/compare', '/assets/app-abcdef12.js', '/api/nothing']) {
      const answer = await request(port, `GET ${path}`);
      expect(answer.status, path).to.equal(401);
      expect(answer.header('www-authenticate')).to.match(/^Bearer/);
      expect(answer.body).not.to.match(/secret|code|page/);
    }
  });

  it('is taken as a Bearer header and nothing like it', async () => {
    const { port, count } = await guardedServer();
    const wrong = [
      `Authorization: ${token}`,
      `Authorization: Basic ${token}`,
      'Authorization: Bearer',
      'Authorization: Bearer wrong',
      `Authorization: Bearer ${token}x`,
      `Authorization: Bearer ${token.toUpperCase()}`,
      `Cookie: token=${token}`,
    ];
    for (const header of wrong) {
      expect((await request(port, 'POST /api/go', [header])).status, header).to.equal(401);
    }
    expect(count()).to.equal(0);
    const right = await request(port, 'POST /api/go', [`Authorization: Bearer ${token}`]);
    expect(right.status).to.equal(200);
  });

  it('does not open the door to another site', async () => {
    const { port, count } = await guardedServer();
    const headers = [`Authorization: Bearer ${token}`, 'Origin: http://evil.example'];
    expect((await request(port, 'POST /api/go', headers)).status).to.equal(403);
    expect(count()).to.equal(0);
  });

  it('becomes a cookie by a link that works once', async () => {
    const { port, app } = await guardedServer();
    const link = app.makeLink();
    expect(link).not.to.contain(token);
    const first = await request(port, `GET ${link}`);
    expect(first.status).to.equal(303);
    expect(first.header('location')).to.equal('/');
    const cookie = first.header('set-cookie') ?? '';
    expect(cookie).to.match(/^assay_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.to.contain(token);

    const [pair] = cookie.split(';');
    for (const path of ['/', '/results', '/assets/app-abcdef12.js']) {
      const answer = await request(port, `GET ${path}`, [`Cookie: other=1; ${pair}`]);
      expect(answer.status, path).to.equal(200);
    }
    expect((await request(port, `GET ${link}`)).status).to.equal(401);
    expect((await request(port, 'GET /results', [`Cookie: ${pair}x`])).status).to.equal(401);
  });

  it('leads a browser that is signed in on when it opens its link again', async () => {
    const { port, app } = await guardedServer();
    const link = app.makeLink();
    const [pair] = ((await request(port, `GET ${link}`)).header('set-cookie') ?? '').split(';');
    expect((await request(port, `GET ${link}`, [`Cookie: ${pair}`])).status).to.equal(303);
  });

  it('may stand in a link itself, once', async () => {
    const { port } = await guardedServer();
    expect((await request(port, `GET /?token=${token}`)).status).to.equal(303);
    expect((await request(port, `GET /?token=${token}`)).status).to.equal(401);
    expect((await request(port, 'GET /?token=wrong')).status).to.equal(401);
    expect((await request(port, `GET /results?token=${token}`)).status).to.equal(401);
  });

  it('is not used up by a look at the link, nor by a wrong name of the server', async () => {
    const { port, app } = await guardedServer();
    const link = app.makeLink();
    expect((await request(port, `HEAD ${link}`)).status).to.equal(401);
    expect((await request(port, `GET ${link}`, ['Host: evil.example'])).status).to.equal(403);
    expect((await request(port, `GET ${link}`)).status).to.equal(303);
  });

  it('is no matter where none is required', async () => {
    const { port, app } = await startServer([]);
    expect(app.makeLink()).to.equal('/');
    expect((await request(port, 'GET /?token=anything')).status).to.equal(200);
  });

  it('is refused when no Authorization header could carry it, or when it could be guessed', async () => {
    for (const wrong of ['', ' ', 'two words', 'töken', 'tab\t', 'a', 'fifteen-letters']) {
      const make = () =>
        createApp({ routes: [], names: ownNames('127.0.0.1'), token: wrong, onBug: () => {} });
      expect((await refusal(make)).code, wrong).to.equal('usage');
    }
  });
});
