import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { closePages, type OpenedPage, openPage } from '../helpers/browser.js';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';
import { times } from '../helpers/rounds.js';
import { findings } from './findings.js';
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
    expect(await findings(page)).to.deep.equal([]);
    for (const name of [/^Rerun/, /^Regrade/, 'Settings', 'Rename run', /^Annotate/]) {
      expect(await page.getByRole('button', { name }).count()).to.equal(0);
    }
    await page.getByPlaceholder('Search 20 results').fill('elsewhere.invalid/x.js');
    await page.getByText('1 of 20', { exact: true }).waitFor();
    await page.getByRole('row', { name: /all\[c15\]/ }).press('Enter');
    await page.getByRole('heading', { name: /all\[c15\]/ }).waitFor();
    await page.getByText('"><script src=//elsewhere.invalid/x.js></script>').first().waitFor();
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).to.equal(0);
    await page.getByText(/^Saved copy of swift/).waitFor();
    await page.goBack();
    await page.getByText('1 of 20', { exact: true }).waitFor();
  });

  it('has the calls of its run, with the figures of the terminal', async () => {
    const provider = await startFakeProvider();
    project.write(
      'calls/a.eval.ts',
      `
import { evaluation } from 'assay';
export const asked = evaluation({
  cases: [0, 1, 2].map((n) => ({ id: 'c' + n, input: 'question ' + n })),
  target: async ({ input }) => {
    const body = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: input }] });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('${provider.url}/v1/chat/completions', { method: 'POST', headers, body });
    return [input, (await answer.json()).choices[0].message.content];
  },
  evaluators: [({ output }) => output[0] !== 'question 2'],
});
`,
    );
    const ran = await project.assay(['run', 'calls', '--run-name', 'calls']);
    const [, cost = ''] = /^ {2}3 calls · .* · (\$\S+)$/m.exec(ran.stderr) ?? [];
    expect(cost, ran.stderr).to.equal('$0.00099');
    await project.assay(['export', 'calls', '-o', 'calls.html']);
    const page = await open('calls.html');
    await page.getByText('66.7').first().waitFor();
    expect(ran.stderr).to.include('66.7 %');
    await page.getByText(cost, { exact: true }).first().waitFor();
    await page.getByRole('link', { name: /calls/ }).click();
    await page.getByText('gpt-4.1').first().waitFor();
    await page.getByText(cost, { exact: true }).first().waitFor();
    await page.getByText(/^Saved copy of calls/).waitFor();
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
