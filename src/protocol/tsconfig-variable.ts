/** The environment variable that names the `tsconfig.json` for all files to hosts, and to what they start. An absolute path. */
export const tsconfigVariable = 'ASSAY_TSCONFIG';
