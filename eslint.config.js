import tseslint from 'typescript-eslint';
import { keyedLiterals } from './eslint-keyed-literals.mjs';

export default tseslint.config(
  {
    ignores: ['dist/', 'pulumi/dist/', '.mutation/', 'node_modules/', 'coverage/', '**/generated/', '**/*.generated.*'],
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
    plugins: { sync: { rules: { 'keyed-literals': keyedLiterals } } },
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'sync/keyed-literals': 'error',
    },
  },
  // It uses no other package of ours, and looks up words of its own.
  { files: ['src/sandbox/**'], rules: { 'sync/keyed-literals': ['error', { reads: false }] } },
  { files: ['src/cli/**', 'scripts/**', 'bench/**', 'bin/**'], rules: { 'no-console': 'off' } },
);
