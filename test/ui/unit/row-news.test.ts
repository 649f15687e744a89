import { expect } from 'chai';
import { RowNews } from '../../../ui/src/api/row-news.js';
import type { LightRow, RowPage } from '../../../ui/src/api/schema.js';

const row = (index: number, status: string) => ({ index, status }) as LightRow;
const page = (...rows: LightRow[]) => ({ rows }) as unknown as RowPage;

describe('news of rows', () => {
  it('are not undone by an answer that was asked for before and comes after', async () => {
    const news = new RowNews();
    let answer = (_: RowPage) => {};
    const reading = news.read('one', () => new Promise<RowPage>((resolve) => (answer = resolve)));
    news.tell('one', [row(1, 'running')]);
    news.tell('two', [row(0, 'error')]);
    news.tell('one', [row(1, 'completed')]);
    answer(page(row(0, 'pending'), row(1, 'pending')));
    expect((await reading).rows).to.deep.equal([row(0, 'pending'), row(1, 'completed')]);
  });

  it('of before it was asked for say nothing about an answer', async () => {
    const news = new RowNews();
    news.tell('one', [row(0, 'running')]);
    const answer = page(row(0, 'completed'));
    expect(await news.read('one', async () => answer)).to.equal(answer);
    const refused = new Error('refused');
    const failed = news.read('one', () => Promise.reject(refused));
    expect(await failed.catch((error) => error)).to.equal(refused);
    news.tell('one', [row(0, 'running')]);
    expect(await news.read('one', async () => answer)).to.equal(answer);
  });
});
