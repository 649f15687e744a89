import SessionsCompare from './sessions/compare.js';

/** Short name of `assay sessions compare`. */
export default class Compare extends SessionsCompare {
  static override usage = 'compare BASE RUN [RUN...] [FLAGS]';
  static override examples = [
    '<%= config.bin %> compare previous latest',
    '<%= config.bin %> compare evals/baseline.json latest --format md > comment.md',
  ];
}
