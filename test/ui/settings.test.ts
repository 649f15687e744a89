import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { ServedProject } from '../helpers/served-project.js';
import { keepPage } from './kept-page.js';
import { serveOrders } from './result-project.js';

const file = `# ours
concurrency: 4 # four
mine: [1, 2]
configs:
  fast:
    concurrency: 2
`;

describe('the settings dialog', () => {
  let served: ServedProject;
  let page: Page;
  const kept = keepPage(() => served.url);
  const dialog = () => page.getByRole('dialog', { name: 'Settings' });

  before(async () => {
    served = await serveOrders({ 'assay.yaml': file });
  });
  beforeEach(async () => {
    served.project.write('assay.yaml', file);
    page = await kept.open('/');
    await page.getByRole('button', { name: 'Settings' }).click();
    await dialog().getByLabel('Concurrency').waitFor();
  });

  it('shows what the file sets, and the defaults of the rest', async () => {
    expect(await dialog().getByLabel('Concurrency').inputValue()).to.equal('4');
    expect(await dialog().getByLabel('Timeout').inputValue()).to.equal('');
    expect(await dialog().getByLabel('Timeout').getAttribute('placeholder')).to.equal('300');
    expect(await dialog().getByLabel('Trials').getAttribute('placeholder')).to.equal('1');
    expect(await dialog().getByLabel('Results folder').getAttribute('placeholder')).to.equal(
      '.assay/sessions',
    );
    const notify = dialog().getByRole('switch', { name: 'Notifications' });
    expect(await notify.getAttribute('aria-checked')).to.equal('false');
    await dialog().getByText('Run config default is chosen for the next new run').waitFor();
  });

  it('saves with the keyboard; what else the file holds stays', async () => {
    await dialog().getByLabel('Concurrency').fill('');
    await dialog().getByLabel('Timeout').fill('2.5');
    await dialog().getByRole('switch', { name: 'Notifications' }).click();
    await dialog().getByLabel('Trials').fill('3');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('Settings saved.').waitFor();
    const text = served.read('assay.yaml');
    expect(text).to.match(/# ours/);
    expect(text).to.match(/mine: \[ ?1, 2 ?\]/);
    expect((await served.get('/api/config')).body).to.deep.equal({
      timeout: 2.5,
      trials: 3,
      completion_notifications: true,
    });
  });

  it('says what is wrong by the field, and saves nothing until it is mended', async () => {
    await dialog().getByLabel('Concurrency').fill('2500');
    await dialog().getByText('A whole number from 1 to 1000; 2500 is too many.').waitFor();
    const save = dialog().getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).to.equal(true);
    expect(await dialog().getByLabel('Concurrency').getAttribute('aria-invalid')).to.equal('true');
    await dialog().getByText('Correct 1 field to save').waitFor();
    await dialog().getByLabel('Concurrency').fill('1000');
    expect(await save.isDisabled()).to.equal(false);
    expect(served.read('assay.yaml')).to.equal(file);
  });

  it('tells by the field what only the server can know', async () => {
    served.project.write('taken', 'a file');
    await dialog().getByLabel('Results folder').fill('taken/below');
    await page.keyboard.press('Enter');
    const fault = dialog().getByRole('alert');
    await fault.waitFor();
    expect(await fault.innerText()).to.contain('taken');
    await dialog().getByLabel('Results folder').fill('elsewhere');
    expect(await fault.count()).to.equal(0);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(served.read('assay.yaml')).to.equal(file);
  });
});
