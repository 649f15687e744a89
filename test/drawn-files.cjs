const { createHash } = require('node:crypto');

/** Folders whose tests take most of the time: they start commands, browsers and clients of models. */
const folders = ['e2e', 'host/calls', 'host/recordings', 'ui'];
const quick = 'ui/unit/';

/** Whether `npm test` runs a file only now and then; `npm run test:long` always does. Relative to `test`. */
exports.isDrawn = (name) =>
  folders.some((folder) => name.startsWith(`${folder}/`)) && !name.startsWith(quick);

/** Half of these files: the same for the same seed. */
exports.drawHalf = (names, seed) => {
  const place = (name) => createHash('sha256').update(`${seed} ${name}`).digest('hex');
  return [...names]
    .sort((a, b) => (place(a) < place(b) ? -1 : 1))
    .slice(0, Math.ceil(names.length / 2));
};
