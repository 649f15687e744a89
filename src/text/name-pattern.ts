/** A pattern for a name in which `*` stands for any characters. */
export function namePattern(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
