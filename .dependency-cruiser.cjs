/** Imports point one way: who may import whom below src/. Everything else is refused. */
const mayImport = {
  statistics: [],
  text: ['statistics'],
  files: [],
  model: ['statistics'],
  authoring: ['model'],
  graders: ['authoring', 'values', 'model'],
  'model-calls': ['model'],
  recordings: ['model'],
  values: ['model'],
  processes: [],
  syntax: [],
  fingerprints: ['syntax', 'model'],
  protocol: ['values', 'recordings', 'model'],
  host: [
    'protocol',
    'fingerprints',
    'syntax',
    'values',
    'processes',
    'authoring',
    'model-calls',
    'recordings',
    'model',
  ],
  store: ['model', 'statistics'],
  compare: ['model', 'statistics', 'store'],
  settings: ['recordings', 'model'],
  runner: [
    'protocol',
    'processes',
    'store',
    'settings',
    'model-calls',
    'recordings',
    'model',
    'statistics',
  ],
  workers: ['runner', 'model-calls', 'protocol', 'recordings', 'model'],
  importers: ['store', 'model'],
  exporters: ['compare', 'model-calls', 'model', 'statistics'],
  server: [
    'runner',
    'workers',
    'model-calls',
    'store',
    'compare',
    'exporters',
    'settings',
    'model',
    'statistics',
  ],
  cli: [
    'runner',
    'workers',
    'model-calls',
    'store',
    'compare',
    'exporters',
    'settings',
    'recordings',
    'protocol',
    'model',
    'statistics',
    'server',
    'syntax',
  ],
  node: [
    'cli',
    'importers',
    'runner',
    'store',
    'compare',
    'exporters',
    'settings',
    'model',
    'statistics',
  ],
  commands: [
    'cli',
    'importers',
    'runner',
    'workers',
    'model-calls',
    'store',
    'compare',
    'exporters',
    'settings',
    'recordings',
    'protocol',
    'model',
    'statistics',
    'server',
  ],
};

/**
 * Imports inside a folder point one way, too: what each of its folders may import of the others. What lies beside these
 * folders is for all (`.`), or for none of them.
 */
const mayImportInside = {
  runner: {
    // Operations, such as start-run.ts, use everything and are used by none.
    '(events|executor|runner-dependencies|unless-aborted)': [],
    local: [],
    discovery: [],
    watching: ['discovery'],
    planning: ['discovery'],
    changes: ['planning', 'discovery'],
    execution: ['changes', 'planning', 'discovery'],
    variants: ['execution', 'changes', 'planning', 'discovery'],
  },
  cli: {
    terminal: [],
    '[^/]+': ['terminal'],
    report: ['terminal'],
    recordings: ['terminal'],
    plan: ['terminal'],
    init: ['terminal'],
    compare: ['report', 'terminal'],
    reporters: ['report', 'terminal'],
    run: ['reporters', 'compare', 'report', 'terminal'],
    show: ['run', 'report', 'terminal'],
    sessions: ['run', 'reporters', 'report', 'terminal'],
    serve: ['terminal'],
    workers: ['terminal'],
  },
};
const forAll = { runner: '(events|executor|runner-dependencies|unless-aborted)', cli: '[^/]+' };

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: { path: '^(src|ui)' }, to: { circular: true } },
    {
      name: 'not-installed',
      comment:
        'Only what package.json names is there for users; optional peers are loaded by the folder that says so.',
      severity: 'error',
      from: { path: '^(src|bin)', pathNot: '^src/workers/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-dev', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    ...Object.entries(mayImport).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      comment: `src/${folder} may import ${['errors', 'package-root', 'text', 'files', ...allowed].join(', ')}.`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: {
        path: '^src/',
        pathNot: `^src/((errors|package-root)\\.ts$|(${[folder, 'text', 'files', ...allowed].join('|')})/)`,
      },
    })),
    ...Object.entries(mayImportInside).flatMap(([room, folders]) =>
      Object.entries(folders).map(([folder, allowed]) => {
        const isFolder = /^\w+$/.test(folder);
        const own = isFolder ? [`${folder}/`] : [];
        const others = [...own, ...allowed.map((one) => `${one}/`), `${forAll[room]}\\.ts$`];
        return {
          name: `inside-${room}-${isFolder ? folder : 'for-all'}`,
          comment: `Of src/${room}, ${folder} may import ${[...allowed, 'what is for all'].join(', ')}.`,
          severity: 'error',
          from: { path: `^src/${room}/${folder}${isFolder ? '/' : '\\.ts$'}` },
          to: { path: `^src/${room}/`, pathNot: `^src/${room}/(${others.join('|')})` },
        };
      }),
    ),
    {
      name: 'ui-imports',
      comment:
        'The web UI knows the server by its API alone; of the sources it may read the types of src/model.',
      severity: 'error',
      from: { path: '^ui/' },
      to: { path: '^src/', pathNot: '^src/(model|compare|statistics|text)/' },
    },
    {
      name: 'ui-imports-types-only',
      comment:
        'But the rules and texts of scores, comparisons, usage, traces, messages and paths of values, which are pure and small: one definition of a verdict, one text of a number.',
      severity: 'error',
      from: { path: '^ui/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(model/(result-field|scores/(score(-rule)?|worst-first)|param-text|calls/((run-)?usage|nested-trace|message-parts))|compare/cases/(score-measures|lost-text)|text/(amount-text|calibration-text|judge-drift-text|detectable-text|loopback|parsed-url|duration-text|editor-address|hidden-characters|person-name|share-text|usage-text|count-text|number-text|repeats-text|mixed-text|carried-text|chance-text|scale-hint|score-name|shell-word|stack-frame|trend-text|value-path|word-diff))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sources-without-ui',
      severity: 'error',
      from: { path: '^(src|bin)/' },
      to: { path: '^ui/' },
    },
    {
      name: 'index-imports',
      comment: 'What eval files import stays light.',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(authoring|model|text)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
