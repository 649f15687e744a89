/** What the bot knows: paragraphs of the pages of a shop. */
export const documents: readonly string[] = [
  'Returns are free within 30 days. Send the parcel back with the label that came in it.',
  'Standard shipping takes 3 days and costs 4.90. It is free for orders over 50.',
  'Express shipping takes 1 day and costs 9.90, whatever the order is worth.',
  'The warranty of all devices is 2 years. It does not cover water and falls.',
  'Gift cards are valid for 3 years and cannot be paid out.',
  'You can pay by card, by invoice and by bank transfer.',
  'Your account and your data are deleted within 14 days after you have asked for it.',
  'Batteries are taken back free of charge in every shop.',
];
