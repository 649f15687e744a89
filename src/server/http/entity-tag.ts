import { createHash } from 'node:crypto';

/** The `ETag` of an answer: weak, because compression changes the bytes. The revision precedes the version. */
export function entityTag(version: string, revision?: string): string {
  return `W/"${revision === undefined ? '' : `${revision}.`}${tagOf(version)}"`;
}

/** The revision of editable data. */
export function revisionOf(value: unknown): string {
  return tagOf(JSON.stringify(value));
}

/** True for an `If-Match` that contains this revision, or `*`. */
export function matchesRevision(ifMatch: string, revision: string): boolean {
  return ifMatch.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || bareTag(tag).replaceAll('"', '').split('.')[0] === revision;
  });
}

/** True for an `If-None-Match` that contains this tag, or `*`. */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch
    .split(',')
    .some((one) => one.trim() === '*' || bareTag(one.trim()) === bareTag(tag));
}

function bareTag(tag: string): string {
  return tag.replace(/^W\//, '');
}

function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
