import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { packedExtension } from '../../scripts/release/vscode.mjs';
import { builtProgram } from '../harness/built.js';
import { makeWorld, type World } from '../harness/world.js';

type Work = (...words: readonly unknown[]) => unknown;

const disposable = { dispose: () => undefined };

/** Whatever VS Code makes of what it is given. */
class Holding {
  readonly words: readonly unknown[];
  constructor(...words: readonly unknown[]) {
    this.words = words;
  }
}

const holdings = [
  ...['CodeAction', 'CompletionItem', 'Diagnostic', 'DocumentSymbol', 'FoldingRange', 'Hover', 'Location'],
  ...['MarkdownString', 'Range', 'SemanticTokens', 'SemanticTokensLegend', 'ThemeColor'],
];

class WorkspaceEdit {
  readonly texts: string[] = [];
  replace(_uri: unknown, _range: unknown, text: string): void {
    this.texts.push(text);
  }
}

/** VS Code as far as the extension knows it, with one document: what is registered can be called, and what is shown is kept. */
function standIn(command: readonly string[], file: string, text: string) {
  const uri = pathToFileURL(file).href;
  const calls: Record<string, Work> = {};
  const shown = { problems: [] as readonly Holding[], marks: [] as readonly string[], told: [] as string[] };
  const document = {
    ...{ uri: { toString: () => uri, scheme: 'file', fsPath: file }, languageId: 'yaml', version: 1 },
    ...{ getText: () => text, lineAt: (line: number) => ({ range: line }) },
  };
  const editor = {
    document,
    setDecorations: (
      _type: unknown,
      marks: readonly { range: number; renderOptions: { after: { contentText: string } } }[],
    ) => {
      shown.marks = marks.map(({ range, renderOptions }) => `${range + 1}: ${renderOptions.after.contentText}`);
    },
  };
  const known: Readonly<Record<string, unknown>> = {
    WorkspaceEdit,
    ...{ CodeActionKind: {}, FoldingRangeKind: {}, Uri: { parse: (text_: string) => text_ } },
    commands: { registerCommand: (name: string, work: Work) => ((calls[name] = work), disposable) },
    languages: new Proxy(
      {
        createDiagnosticCollection: () => ({
          ...disposable,
          set: (_uri: string, found: readonly Holding[]) => (shown.problems = found),
        }),
      },
      {
        get: (own, name) =>
          Reflect.get(own, name) ??
          ((_selector: unknown, given: Readonly<Record<string, Work>>) => (Object.assign(calls, given), disposable)),
      },
    ),
    workspace: new Proxy(
      { getConfiguration: () => ({ get: () => command }), textDocuments: [document], workspaceFolders: [] },
      { get: (own, name) => Reflect.get(own, name) ?? ((work: Work) => ((calls[String(name)] ??= work), disposable)) },
    ),
    window: {
      ...{ activeTextEditor: editor, visibleTextEditors: [editor], onDidChangeVisibleTextEditors: () => disposable },
      ...{
        createOutputChannel: () => ({ ...disposable, append: () => undefined }),
        setStatusBarMessage: () => undefined,
      },
      createTextEditorDecorationType: () => disposable,
      showInformationMessage: (said: string) => shown.told.push(said),
      showErrorMessage: (said: string) => shown.told.push(said),
    },
  };
  const api = { ...Object.fromEntries(holdings.map((name) => [name, Holding])), ...known };
  return { api, calls, shown, document };
}

interface Extension {
  readonly activate: (context: { readonly subscriptions: unknown[] }) => Promise<void>;
  readonly deactivate: () => Promise<void>;
}

/** What VS Code does with an extension, as it is packed. */
async function loaded(vscode: unknown): Promise<Extension> {
  const files = unzipSync(await packedExtension('1.0.0'));
  const module = { exports: {} };
  const require = createRequire(import.meta.url);
  const asked = (name: string): unknown => (name === 'vscode' ? vscode : (require(name) as unknown));
  const text = strFromU8(files['extension/extension.js'] ?? new Uint8Array());
  new Function('module', 'exports', 'require', text)(module, module.exports, asked);
  return module.exports as Extension;
}

const specification = (more: string): string =>
  `openapi: 3.0.3\ninfo: {title: Pets, version: "1.0.0"}\npaths:\n  /pets: {get: {responses: {"200": {description: All}}}}\n${more}`;
const one = '  /pets/{id}: {get: {responses: {"200": {description: One}}}}\n';
const shop = (description: string, type = 'platform:Api'): string => `resources:
  pets:
    type: platform:Api
    properties: { name: Pets, version: "1.0.0" }
    children:
      version: { type: platform:ApiVersion, properties: { specContent: !file ../pets.yaml } }
  orders:
    type: ${type}
    properties: { name: Orders, description: ${description} }
    options: { replaceOnChanges: [description] }
`;

let world: World;
let folder: string;
let program: string;
beforeAll(async () => {
  [world, program] = await Promise.all([makeWorld(), builtProgram()]);
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sync-vscode-')));
  mkdirSync(join(folder, 'catalogue'));
  writeFileSync(join(folder, 'sync.yaml'), 'project: shop\n');
  writeFileSync(join(folder, 'pets.yaml'), specification(one));
  writeFileSync(join(folder, 'catalogue/shop.yaml'), shop('first'));
  for (const [name, value] of Object.entries(world.env)) vi.stubEnv(name, value);
  await promisify(execFile)(process.execPath, [program, 'apply', '--yes'], { cwd: folder });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

it('the packed extension shows problems, offers edits, and says what a plan does beside the lines that say so', async () => {
  const file = join(folder, 'catalogue/shop.yaml');
  const wrong = standIn([process.execPath, program], file, shop('second', 'platform:Apii'));
  const first = await loaded(wrong.api);
  await first.activate({ subscriptions: [] });
  await expect.poll(() => wrong.shown.problems).toMatchObject([{ code: 'unknown-type', source: 'sync' }]);
  const at = { line: 7, character: 16 };
  expect(await wrong.calls['provideCodeActions']?.(wrong.document, { start: at, end: at })).toMatchObject([
    { words: ['Did you mean platform:Api?', undefined], edit: { texts: ['platform:Api'] } },
  ]);
  await first.deactivate();

  writeFileSync(join(folder, 'pets.yaml'), specification(''));
  const right = standIn([process.execPath, program], file, shop('second'));
  const second = await loaded(right.api);
  await second.activate({ subscriptions: [] });
  await right.calls['platformSync.plan']?.();
  expect(right.shown).toMatchObject({
    told: ['Plan: 1 to update, 1 to replace, 1 unchanged.'],
    marks: ['7: replaces', '6: updates, breaks clients'],
  });
  expect(await right.calls['provideRenameEdits']?.(right.document, { line: 6, character: 4 }, 'sales')).toMatchObject({
    texts: ['sales', ', aliases: [orders]'],
  });
  await second.deactivate();
});

it('the file of the extension is the same each time, and has what VS Code looks for', async () => {
  const [once, again] = [await packedExtension('1.2.3'), await packedExtension('1.2.3')];
  expect(Buffer.compare(Buffer.from(once), Buffer.from(again))).toBe(0);
  const files = unzipSync(once);
  const text = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
  expect(JSON.parse(text('extension/package.json'))).toMatchObject({
    name: 'platform-sync',
    version: '1.2.3',
    main: './extension.js',
  });
  expect(text('extension.vsixmanifest')).toContain('Id="platform-sync" Version="1.2.3" Publisher="platform-sync"');
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['[Content_Types].xml', 'extension/extension.js', 'extension/LICENSE.txt']),
  );
});
