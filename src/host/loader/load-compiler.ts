/**
 * Loads a compiler that is a native program. Throws an error with the true reason if that is missing or does not start:
 * the compiler's own error blames npm.
 */
export function loadCompiler<Compiler>(name: string, load: () => unknown): Compiler {
  try {
    return load() as Compiler;
  } catch (error) {
    const platform = `${process.platform}-${process.arch}`;
    const reason = [...causesOf(error)].find((cause) => !isMissing(cause));
    throw new Error(
      reason === undefined
        ? `the program of ${name} for ${platform} is not installed, because it is an optional dependency: install again with npm install --include=optional`
        : `the program of ${name} for ${platform} could not be loaded: ${reason.message}`,
    );
  }
}

/** The causes of an error, without itself: some compilers have a chain of them, others a list. */
function* causesOf(error: unknown): Iterable<Error> {
  for (const cause of [(error as Error).cause].flat()) {
    if (!(cause instanceof Error)) continue;
    yield cause;
    yield* causesOf(cause);
  }
}

function isMissing(error: Error): boolean {
  // The compiler wraps Node's errors, without their codes.
  return /^(?:Cannot find module|Unsupported OS)/.test(error.message);
}
