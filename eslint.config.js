import tseslint from 'typescript-eslint';
import { keyedLiterals } from './eslint-keyed-literals.mjs';

const fromWorld = 'Time, ids, chance and other programs come from the World that is handed down (core/model/world).';
const restricted = (names) => names.map((name) => ({ name, message: fromWorld }));
const property = (object, ...names) => names.map((name) => ({ object, property: name, message: fromWorld }));

/** Where a world comes in: who calls these from outside may have none. Everybody else is handed one. */
const doors = [
  'src/cli/process/{output,process-host}.ts',
  'src/engine/core/model/process-identity.ts',
  'src/engine/engine/engine.ts',
  'src/engine/state/lease-term.ts',
  'src/providers/rest/http/clock.ts',
  'src/{kit/trial-project,sdk/connection,report/openapi/diff,review/notify/post}.ts',
  'src/cli/commands/sandbox.ts',
];
const doorless = [
  { selector: "ImportSpecifier[imported.name='realWorld']", message: fromWorld },
  { selector: "MemberExpression[object.name='process'][property.name='pid']", message: fromWorld },
];

/** What a run would take from the runtime instead of its World, so that it could not be repeated. */
const noAmbientWorld = (more) => ({
  'no-restricted-globals': ['error', ...restricted(['setTimeout', 'setInterval', 'setImmediate', 'performance'])],
  'no-restricted-properties': [
    'error',
    ...property('Date', 'now'),
    ...property('Math', 'random'),
    ...property('crypto', 'randomUUID', 'getRandomValues'),
    ...property('AbortSignal', 'timeout'),
    ...property('process', 'hrtime', 'uptime'),
  ],
  'no-restricted-syntax': [
    'error',
    ...more,
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: fromWorld },
    { selector: "CallExpression[callee.name='Date']", message: fromWorld },
    {
      selector: 'ImportExpression[source.value=/^node:(timers|perf_hooks|child_process|worker_threads)/]',
      message: fromWorld,
    },
  ],
  'no-restricted-imports': [
    'error',
    {
      paths: [
        ...restricted([
          'node:timers',
          'node:timers/promises',
          'node:perf_hooks',
          'node:child_process',
          'node:worker_threads',
        ]),
        {
          name: 'node:crypto',
          importNames: ['randomUUID', 'randomBytes', 'randomInt', 'webcrypto'],
          message: fromWorld,
        },
      ],
    },
  ],
});

/** Tables of fields inherit nothing (test/docs/keyed-literals.test.ts), and no field is called as what every object has. */
const keyedByFields = { safe: ['fields', 'values', 'actual', 'inputs', 'outputs', 'scope'] };

const sync = { rules: { 'keyed-literals': keyedLiterals } };

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'release/',
      'pulumi/dist/',
      'src/fleet/dist/',
      '.mutation/',
      'node_modules/',
      'coverage/',
      '**/generated/',
      '**/*.generated.*',
    ],
  },
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-duplicate-imports': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**'],
    plugins: { sync },
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'sync/keyed-literals': ['error', keyedByFields],
    },
  },
  {
    files: ['src/**/*.ts', 'pulumi/src/**/*.ts'],
    ignores: ['src/sandbox/**', 'src/describe/**'],
    plugins: { sync },
    languageOptions: { parserOptions: { projectService: true } },
    rules: { 'sync/keyed-literals': ['error', keyedByFields] },
  },
  // It uses no other package of ours, and looks up words of its own.
  { files: ['src/sandbox/**'], rules: { 'sync/keyed-literals': ['error', { reads: false }] } },
  // The stand-in for the platform has a clock of its own, and shares nothing with the engine.
  // What starts the program in a pipeline, or in an editor, has no world yet.
  {
    files: ['src/**'],
    ignores: ['src/engine/core/model/{world,spawn}.ts', 'src/cli/ci.ts', 'src/vscode/**', 'src/sandbox/**'],
    rules: noAmbientWorld(doorless),
  },
  { files: doors, rules: noAmbientWorld([]) },
  {
    files: ['src/cli/**', 'scripts/**', 'test/simulator/main.ts', 'bench/**', 'bin/**'],
    rules: { 'no-console': 'off' },
  },
);
