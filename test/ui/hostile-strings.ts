/** Twenty texts that do something where a page takes them for more than text. */
export const hostileStrings: readonly string[] = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '<svg/onload=window.hit=1>',
  '[link](javascript:window.hit=1) **b**',
  '![picture](http://elsewhere.invalid/a.png)',
  '<iframe src="javascript:parent.hit=1"></iframe>',
  '</textarea><script>window.hit = 1</script>',
  'data:text/html,<script>window.hit = 1</script>',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hit=1"/>',
  '\u202Egnp.exe\u202C and \u0000\u0007\u001b[31m',
  '<style>body { display: none }</style>',
  '<a href="javascript:window.hit=1" onclick="window.hit=1">x</a>',
  '[x]: javascript:window.hit=1\n\n[x]\n\n- a\n- b',
  '# <b onmouseover=window.hit=1>title</b>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant to be one
  '`${window.hit = 1}` {{constructor.constructor("window.hit=1")()}}',
  '"><script src=//elsewhere.invalid/x.js></script>',
  '<form action=http://elsewhere.invalid><input name=hit autofocus onfocus=window.hit=1></form>',
  '<meta http-equiv=refresh content="0;url=http://elsewhere.invalid"><base href=//elsewhere.invalid>',
  '<math><mi xlink:href="javascript:window.hit=1">x</mi></math><object data=//elsewhere.invalid></object>',
  'javascript:window.hit=1//http://elsewhere.invalid/?a=b&c=%00<!--',
];

/** What of a text may stand in a name: no control characters, no two spaces, and not too long. */
export function inName(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 90);
}
