/** Globals of the language and of Node through which code cannot pass state to other code. */
export const knownGlobals: ReadonlySet<string> = new Set(
  words(`
  undefined NaN Infinity Object Array String Number Boolean BigInt Symbol Math JSON Date RegExp Map Set WeakMap WeakSet
  WeakRef Promise Proxy Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError Intl
  Iterator ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array
  Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Atomics parseInt parseFloat isNaN
  isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape structuredClone console setTimeout
  clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask fetch Headers Request Response
  FormData Blob File URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal Event EventTarget
  DOMException ReadableStream WritableStream TransformStream CompressionStream DecompressionStream Buffer atob btoa
  crypto require exports module __filename __dirname arguments`),
);

/** Methods that change the value that they are called on. */
export const mutatingMethods: ReadonlySet<string> = new Set(
  words(`
  push pop shift unshift splice sort reverse fill copyWithin set add delete clear append assign setTime setFullYear
  setMonth setDate setHours setMinutes setSeconds setMilliseconds setUTCFullYear setUTCMonth setUTCDate setUTCHours
  register use on once addListener removeListener off subscribe setDefault configure`),
);

/** True for functions that change a package for all that use it: `chai.use`, `expect.extend`, `z.setErrorMap`. */
export function changesPackage(name: string): boolean {
  return (
    mutatingMethods.has(name) || /^(?:extend|config|should|(?:add|set|define)[A-Z].*)$/.test(name)
  );
}

/** Methods of strings, lists and maps that change nothing. */
export const pureMethods: ReadonlySet<string> = new Set(
  words(`
  at charAt charCodeAt codePointAt concat endsWith entries every filter find findIndex findLast findLastIndex flat
  flatMap forEach get getTime has includes indexOf join keys lastIndexOf localeCompare map match matchAll normalize padEnd
  padStart reduce reduceRight repeat replace replaceAll search slice some split startsWith substring test toFixed
  toISOString toLocaleLowerCase toLocaleString toLocaleUpperCase toLowerCase toReversed toSorted toSpliced toString
  toUpperCase trim trimEnd trimStart values valueOf with exec`),
);

/** Those of them that call functions which they are given. */
export const callingMethods: ReadonlySet<string> = new Set(
  words(`
  every filter find findIndex findLast findLastIndex flatMap forEach map reduce reduceRight replace replaceAll some sort
  toSorted`),
);

/** Functions of globals that call functions which they are given after their first argument. */
export const callingFunctions: ReadonlySet<string> = new Set(
  words('Array.from Array.fromAsync JSON.parse JSON.stringify Object.groupBy Map.groupBy'),
);

/** Globals that can be called, or whose methods can be called, without effects. */
export const pureGlobals: ReadonlySet<string> = new Set(
  words(`
  Array String Number Boolean BigInt Symbol Math JSON Date RegExp Map Set WeakMap WeakSet Error TypeError RangeError
  Intl URL URLSearchParams TextEncoder TextDecoder AbortController Headers Request Response FormData Blob Buffer
  parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI structuredClone atob btoa
  Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array ArrayBuffer DataView`),
);

/** Methods of `Object` that change nothing; `assign` and `freeze` are judged by their first argument. */
export const pureObjectMethods: ReadonlySet<string> = new Set(
  words('keys values entries fromEntries is hasOwn getOwnPropertyNames create'),
);

/** Functions of Node's modules without effects. All of the modules in `pureBuiltins` are. */
export const pureBuiltins: ReadonlySet<string> = new Set(
  words(
    'path path/posix path/win32 url util os querystring string_decoder buffer assert assert/strict',
  ),
);
export const pureBuiltinFunctions: ReadonlySet<string> = new Set(
  words(`
  readFileSync readdirSync existsSync statSync lstatSync realpathSync accessSync readFile readdir stat lstat realpath
  access opendirSync createRequire createHash createHmac randomUUID randomBytes hash promisify join`),
);

/** Node's modules that grading may use: they keep no state between a target and its grading. */
export const closedBuiltins: ReadonlySet<string> = new Set(
  words(`
  assert assert/strict buffer crypto events path path/posix path/win32 punycode querystring string_decoder
  timers timers/promises url util util/types`),
);

/** Node's modules whose use no fingerprint can follow. */
export const hazardousBuiltins: Readonly<Record<string, string>> = {
  child_process: 'starts a process',
  cluster: 'starts a process',
  worker_threads: 'starts a worker',
  vm: 'runs code from text',
  inspector: 'runs code from text',
  'inspector/promises': 'runs code from text',
  repl: 'runs code from text',
  sqlite: 'reads a database file',
  wasi: 'runs WebAssembly with files',
};

/** Packages whose use no fingerprint can follow. */
export const hazardousPackages: Readonly<Record<string, string>> = {
  'better-sqlite3': 'reads a database file',
  'cross-spawn': 'starts a process',
  execa: 'starts a process',
  'nano-spawn': 'starts a process',
  piscina: 'starts a worker',
  shelljs: 'starts a process',
  sqlite3: 'reads a database file',
  tinyexec: 'starts a process',
  tinypool: 'starts a worker',
  workerpool: 'starts a worker',
  zx: 'starts a process',
};

/** Model clients, assertions, scorers and schemas: they keep no state that connects a target with its grading. */
const statelessPackages: ReadonlySet<string> = new Set(
  words(`
  assay openai @anthropic-ai/sdk @google/genai @google/generative-ai @google-cloud/vertexai ai langchain ollama
  groq-sdk @mistralai/mistralai cohere-ai together-ai replicate @aws-sdk/client-bedrock-runtime @azure/openai
  @azure-rest/ai-inference @openrouter/sdk autoevals chai expect @jest/expect @vitest/expect should zod valibot ajv
  @sinclair/typebox arktype superstruct yup fastest-levenshtein js-levenshtein leven string-similarity
  string-similarity-js sentiment vader-sentiment wink-sentiment diff deep-equal fast-deep-equal dequal js-tiktoken
  gpt-tokenizer dedent common-tags ts-dedent json5 jsonrepair tslib`),
);

/** Scopes all of whose packages are model clients. */
const statelessScopes = ['@ai-sdk/', '@langchain/'];

export function isStatelessPackage(name: string, more: readonly string[] = []): boolean {
  return (
    statelessPackages.has(name) ||
    statelessScopes.some((scope) => name.startsWith(scope)) ||
    more.includes(name)
  );
}

/** The package of a specifier: `@scope/name` of `@scope/name/sub`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
