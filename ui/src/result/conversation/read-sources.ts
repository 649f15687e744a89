import { type Fields, fieldsOf, objectsOf, textOf } from './fields.js';
import type { Source } from './message.js';

/** The distinct sources of lists of citations. */
export function readSources(...lists: readonly unknown[]): readonly Source[] {
  const found = new Map<string, Source>();
  for (const fields of lists.flatMap(objectsOf)) {
    const source = readSource(fields);
    if (source !== undefined) found.set(JSON.stringify(source), source);
  }
  return [...found.values()];
}

/** The sources that Google says beside the parts of an answer. */
export function readGrounding(fields: Fields): readonly Source[] {
  const grounding = fieldsOf(fields.groundingMetadata);
  const { citations, citationSources } = fieldsOf(fields.citationMetadata) ?? {};
  return readSources(grounding?.groundingChunks, citations, citationSources);
}

function readSource(given: Fields): Source | undefined {
  const fields =
    ['url_citation', 'file_citation', 'web', 'retrievedContext']
      .map((key) => fieldsOf(given[key]))
      .find((one) => one !== undefined) ?? given;
  const url = textOf(fields.url) ?? textOf(fields.uri) ?? webLocation(fields);
  const title =
    firstText(fields, ['title', 'document_title', 'filename', 'source', 'file_id']) ??
    listedIds(fields);
  const quotes = objectsOf(fields.sourceContent).flatMap(({ text }) => textOf(text) ?? []);
  const quote = textOf(fields.cited_text) ?? textOf(quotes.join(' '));
  if (url === undefined && title === undefined && quote === undefined) return undefined;
  return {
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    ...(quote !== undefined && { quote }),
  };
}

function webLocation(fields: Fields): string | undefined {
  return textOf(fieldsOf(fieldsOf(fields.location)?.web)?.url);
}

function firstText(fields: Fields, keys: readonly string[]): string | undefined {
  return keys.map((key) => textOf(fields[key])).find((text) => text !== undefined);
}

function listedIds({ document_ids: ids }: Fields): string | undefined {
  return Array.isArray(ids) ? textOf(ids.join(', ')) : undefined;
}
