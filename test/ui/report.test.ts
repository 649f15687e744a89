import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { closePages, type OpenedPage, openPage } from '../helpers/browser.js';
import { Project } from '../helpers/project.js';
import { times } from '../helpers/rounds.js';
import { hostileStrings } from './hostile-strings.js';

const evals = `
import { evaluation } from 'assay';
const hostile = ${JSON.stringify(hostileStrings)};
export const all = evaluation({
  params: { model: 'large' },
  cases: hostile.map((text, n) => ({ id: 'c' + n, input: text, reference: text })),
  target: ({ input, params }) => (params.model === 'swift' && input.startsWith('<') ? 'wrong' : input),
  evaluators: [function exact({ output, reference }) { return { passed: output === reference, notes: output }; }],
});
`;

describe('report', function () {
  this.timeout(120_000 * times(1));
  let project: Project;
  let opened: OpenedPage;
  const asked: string[] = [];

  before(async () => {
    project = new Project({ 'a.eval.ts': evals });
    const { code, stderr } = await project.assay(['run', '--param', 'model=large,swift']);
    expect(code, stderr).to.equal(0);
  });

  /** Opens a report as one does from a mail: as a file, without a network. */
  async function open(file: string) {
    opened = await openPage();
    await opened.context.setOffline(true);
    opened.page.on('request', (request) => {
      if (!/^(?:file|data|blob):/.test(request.url())) asked.push(request.url());
    });
    await opened.page.goto(pathToFileURL(project.path(file)).href);
    return opened.page;
  }

  afterEach(async () => {
    expect(await opened.page.evaluate('window.hit')).to.equal(undefined);
    expect(asked).to.deep.equal([]);
    expect(opened.faults).to.deep.equal([]);
    await opened.context.setOffline(false);
    await closePages();
  });

  it('shows a run with its figures, filters, search and results, and nothing to change it', async () => {
    const wrong = hostileStrings.filter((text) => text.startsWith('<')).length;
    const { code, stderr } = await project.assay(['export', 'swift', '-o', 'report.html']);
    expect(code, stderr).to.equal(0);
    const page = await open('report.html');
    await page.getByText(/^Saved copy of swift, .* UTC\. Read only\.$/).waitFor();
    await page.getByRole('button', { name: new RegExp(`^${20 - wrong}\\s*passed`) }).waitFor();
    await page.getByRole('row', { name: /all\[c0\]/ }).waitFor();
    for (const name of [/^Rerun/, /^Regrade/, 'Settings', 'Rename run', /^Annotate/]) {
      expect(await page.getByRole('button', { name }).count()).to.equal(0);
    }
    await page.getByPlaceholder('Search 20 results').fill('elsewhere.invalid/x.js');
    await page.getByText('1 of 20', { exact: true }).waitFor();
    await page.getByRole('row', { name: /all\[c15\]/ }).press('Enter');
    await page.getByRole('heading', { name: /all\[c15\]/ }).waitFor();
    await page.getByText('"><script src=//elsewhere.invalid/x.js></script>').first().waitFor();
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).to.equal(0);
    await page.goBack();
    await page.getByText('1 of 20', { exact: true }).waitFor();
  });

  it('shows a group as a table, and leads to its runs', async () => {
    const group = /"group": "([a-z-]+)"/.exec(project.savedText())?.[1] ?? '';
    const { code, stderr } = await project.assay(['export', group, '-f', 'html', '-o', 'g.html']);
    expect(code, stderr).to.equal(0);
    const page = await open('g.html');
    await page.getByText('20 of 20 cases').waitFor();
    await page.reload();
    await page.getByText('20 of 20 cases').waitFor();
  });

  it('shows a comparison', async () => {
    const flags = ['large', 'swift', '-o', 'comparison.html'];
    const { code, stderr } = await project.assay(['sessions', 'compare', ...flags]);
    expect(code, stderr).to.equal(0);
    const page = await open('comparison.html');
    await page.getByText('all[c0]').first().waitFor();
    expect(await page.getByRole('button', { name: /Add run/ }).count()).to.equal(0);
  });
});
