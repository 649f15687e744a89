import { expect } from 'chai';
import { editorAddress, editorTemplate } from '../../src/text/editor-address.js';

describe('the address that opens a file in an editor', () => {
  it('is that of the editor, or of a template, with the path in a URL', () => {
    const at = { file: '/a b/c#d.ts', line: 4, column: 46 };
    const rows = [
      ['vscode', 'vscode://file/a%20b/c%23d.ts:4:46'],
      ['cursor', 'cursor://file/a%20b/c%23d.ts:4:46'],
      ['zed', 'zed://file/a%20b/c%23d.ts:4:46'],
      ['webstorm', 'webstorm://open?file=/a%20b/c%23d.ts&line=4&column=46'],
      [
        'subl://open?url=file://{path}&line={line}',
        'subl://open?url=file:///a%20b/c%23d.ts&line=4',
      ],
    ] as const;
    for (const [editor, address] of rows) expect(editorAddress(editor, at)).to.equal(address);
    expect(editorAddress('vscode', { ...at, file: 'C:\\a\\b.ts' })).to.equal(
      'vscode://file/C%3A/a/b.ts:4:46',
    );
  });

  it('is of no scheme that runs something in the page', () => {
    for (const template of ['x://{path}', 'subl://open?url=file://{path}&line={line}']) {
      expect(editorTemplate.test(template), template).to.equal(true);
    }
    const others = [
      'javascript://{path}',
      'JavaScript://{path}',
      'data://{path}',
      'x://path',
      '{path}',
      'x://{path} y',
    ];
    for (const template of others) expect(editorTemplate.test(template), template).to.equal(false);
  });
});
