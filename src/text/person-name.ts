/** A name of a person as it is kept: two spellings of it that look the same are one. */
export function normalName(name: string): string {
  return name.normalize('NFC').trim();
}

/** True for a name with characters that nobody sees, which tell apart what looks the same. */
export function hasHidden(name: string): boolean {
  return /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(name.trim());
}
