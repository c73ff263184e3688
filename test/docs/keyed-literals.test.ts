import { Linter } from 'eslint';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { expect, it } from 'vitest';
import { cloudPackage } from '@platform-sync/cloud/package';
import { markedPackage } from '@platform-sync/engine/loaded-packages';
import { platformPackage } from '@platform-sync/platform/package';
import { nestedRecord } from '@platform-sync/rest/member-paths';
// @ts-expect-error: the rules of the linter are plain JavaScript.
import { keyedLiterals } from '../../eslint-keyed-literals.mjs';

const found = (code: string): number =>
  new Linter().verify(code, [
    { languageOptions: { parser: tseslint.parser as never } },
    { plugins: { sync: { rules: { keyed: keyedLiterals as never } } }, rules: { 'sync/keyed': 'error' } },
  ]).length;

it.each([
  ['const found = {}; found[name] = 1;', 1],
  ['const found = {}; for (const each of all) found[each.name] ??= 1;', 1],
  ['let found = {}; const add = (name) => { found[name] = 1; };', 1],
  ['class A { found = {}; add(name) { this.found[name] = 1; } }', 1],
  ['all.reduce((found, each) => found, {});', 1],
  ['at[name] ??= {};', 1],
  ["const found = {}; found['name'] = 1; found.other = 2;", 0],
  ['const found = Object.create(null); found[name] = 1;', 0],
  ['const found = new Map(); found.set(name, 1);', 0],
  ['const list = []; list[0] = 1; list[at] = 2;', 0],
  ['class A { found = {}; get(name) { return this.found[name]; } }', 0],
  ['const words: Readonly<Record<string, string>> = { a: "b" }; tell(words[name]);', 1],
  ['const get = (all: Record<string, string>, name: string) => all[name]?.length;', 1],
  ['function put(all: Record<string, string>, name: string) { all[name] = "x"; }', 0],
  ['const words: Record<string, string> = {}; tell(words.a, words["b"]);', 0],
  ['const words: Record<"a" | "b", string> = {}; tell(words[name]);', 0],
  ['const all: Record<string, string> = emptyRecord(); tell(all[name]);', 0],
])('a plain object that is keyed by names is told by lint: %s', (code, count) => {
  expect(found(code)).toBe(count);
});

const declared = `export interface Type { readonly fields: Record<string, string>; readonly targets: Readonly<Record<string, string>>; list: string[] }
declare const type: Type | undefined; declare const name: string; declare const word: 'a' | 'b'; declare const at: number;
declare const plan: { readonly type: Type };`;
const told = [
  'plan.type.targets[name]',
  'type?.targets[name]?.length',
  'plan.type.targets[`${name}x`]',
  'plan.type.targets[`to${name}`]',
];
const untold = [
  'plan.type.fields[name]',
  'plan.type.targets[word]',
  "plan.type.targets['a']",
  'plan.type.targets[`x${name}`]',
  'plan.type.list[at]',
];

it('a member that is read by any name is told by lint where types are known', () => {
  const text = [declared, ...told.concat(untold).map((each) => `void ${each};`)].join('\n');
  const settings = { strict: true, target: ts.ScriptTarget.ES2023, lib: ['lib.es5.d.ts'], types: [] };
  const host = ts.createCompilerHost(settings);
  const read = host.getSourceFile;
  host.getSourceFile = (file, ...rest) =>
    file === 'case.ts' ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true) : read(file, ...rest);
  const program = ts.createProgram(['case.ts'], settings, host);
  const messages = new Linter().verify(
    text,
    [
      {
        files: ['**/*.ts'],
        languageOptions: { parser: tseslint.parser as never, parserOptions: { programs: [program] } },
        plugins: { sync: { rules: { keyed: keyedLiterals as never } } },
        rules: { 'sync/keyed': ['error', { safe: ['fields'] }] },
      },
    ],
    { filename: 'case.ts' },
  );
  expect(messages.map(({ line }) => line)).toEqual(told.map((_, at) => at + 4));
});

it('tables of fields inherit nothing, whoever made them: the platform, the cloud, a package whose objects are marked', () => {
  const packages = [platformPackage, cloudPackage, markedPackage(platformPackage)];
  const types = packages.flatMap((each) => [...each.types.values()]);
  expect(types.filter(({ fields }) => Object.getPrototypeOf(fields) !== null).map(({ token }) => token)).toEqual([]);
  expect(types.length).toBeGreaterThan(400);
});

it('a member called __proto__ on the wire is one, and changes no other object', () => {
  const record = nestedRecord([
    ['__proto__.polluted', 'yes'],
    ['constructor.prototype.polluted', 'yes'],
    ['a', 1],
  ]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(JSON.stringify(record)).toBe(
    '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"a":1}',
  );
});
