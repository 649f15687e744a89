/** The environment variable that names the `tsconfig.json` for all files to hosts, and to what they start. An absolute path. */
export const tsconfigVariable = 'ASSAY_TSCONFIG';

/** The environment variable with which a host stops for a debugger where the first eval file begins. */
export const stopVariable = 'ASSAY_STOP_AT_START';

/** Variables that the loader of a host has looked at before the host knows what it is for. */
export const bootVariables = [tsconfigVariable, stopVariable] as const;
