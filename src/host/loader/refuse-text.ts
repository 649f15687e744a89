/** Extensions that are never code. Node's `require()` runs files with an unknown extension as JavaScript. */
const textFiles =
  /\.(?:txt|text|md|mdx|markdown|prompt|rst|adoc|html?|xml|svg|css|csv|tsv|jsonl|ya?ml|toml|ini|sql|graphql|gql|hbs|mustache|liquid|njk|j2|jinja2?|tmpl|tpl|vtt|srt|log)$/i;

/** Throws the error of an import, for text that `require()` would run as JavaScript. */
export function refuseText(file: string): void {
  const [extension] = textFiles.exec(file) ?? [];
  if (extension === undefined) return;
  const error = new TypeError(`Unknown file extension "${extension}" for ${file}`);
  throw Object.assign(error, { code: 'ERR_UNKNOWN_FILE_EXTENSION' });
}
