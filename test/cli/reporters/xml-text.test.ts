import { expect } from 'chai';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { XmlDocument } from 'libxml2-wasm';
import { escapeXml, escapeXmlAttribute } from '../../../src/cli/reporters/junit-document.js';
import { anyText } from '../../properties/hostile-values.js';

describe('escapeXml', () => {
  it('escapes markup, and shows what XML 1.0 cannot hold', () => {
    expect(escapeXml('<a href="x">&amp;]]></a>')).to.equal(
      '&lt;a href="x"&gt;&amp;amp;]]&gt;&lt;/a&gt;',
    );
    expect(escapeXml('\u0000\u001b[31m\ud800\ufffe\u007f日本😀\n\t')).to.equal(
      '\\u{0}\\u{1b}[31m\\u{d800}\\u{fffe}\\u{7f}日本😀\n\t',
    );
    expect(escapeXmlAttribute('"\n\t\r')).to.equal('&quot;&#10;&#9;&#13;');
  });

  it('leaves no line that a CI service would take for a command, and loses nothing', () => {
    const texts = [
      '::error::x',
      'a\n::set-env name=A::b',
      '\n \u00a0\t::stop-commands::x\n::::',
      'see ##[error]x',
      'a::b :: c',
    ];
    for (const text of texts) {
      const document = `<a b="${escapeXmlAttribute(text)}">\n${escapeXml(text)}</a>`;
      expect(document.split('\n').filter((line) => /^\s*::|##\[/.test(line))).to.deep.equal([]);
      const { root } = XmlDocument.fromString(document);
      expect(root.content).to.equal(`\n${text}`);
      expect(root.attr('b')?.value).to.equal(text);
    }
  });

  it('makes a well-formed document of anything', () => {
    const parser = new XMLParser({
      ignoreAttributes: false,
      trimValues: false,
      parseTagValue: false,
      parseAttributeValue: false,
    });
    fc.assert(
      fc.property(fc.array(anyText()), (pieces) => {
        const text = pieces.join('');
        const document = `<a b="${escapeXmlAttribute(text)}">${escapeXml(text)}</a>`;
        expect(XMLValidator.validate(document)).to.equal(true);
        expect(Object.keys(parser.parse(document))).to.deep.equal(['a']);
      }),
    );
  });
});
