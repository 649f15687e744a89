export const chromiumPaths: readonly string[];
