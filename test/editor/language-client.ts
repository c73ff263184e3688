import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeAction,
  type CompletionItem,
  type CompletionList,
  type Diagnostic,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  type InitializeResult,
  type Location,
  type PublishDiagnosticsParams,
  type Range,
  type SemanticTokens,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node.js';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** An editor without a window, with a language server as editors start it, in one folder, with the settings of that folder. */
export interface LanguageClient {
  /** Process of the server. */
  readonly pid: number;
  /** What the editor underlines in a file with this text; the file need not exist. */
  problems(file: string, text: string): Promise<readonly Diagnostic[]>;
  /** What the editor offers where the text has the mark `‸`. */
  offers(file: string, text: string): Promise<readonly CompletionItem[]>;
  /** What the editor shows when the pointer rests at the mark `‸`. */
  hover(file: string, text: string): Promise<string>;
  /** Where what stands at the mark leads to, or is used: `file:line`, counted from 1. */
  places(request: 'definition' | 'references', file: string, text: string): Promise<readonly string[]>;
  /** All files that a rename of what stands at the mark changes, as they are then; or why there is none. */
  rename(file: string, text: string, name: string): Promise<Readonly<Record<string, string>> | string>;
  /** What the editor offers to do about problems at the mark, each as the text is then, by title. */
  actions(file: string, text: string): Promise<Readonly<Record<string, string>>>;
  /** Lines that the editor can fold, counted from 1: `2-5`. */
  folds(file: string, text: string): Promise<readonly string[]>;
  /** What the editor colours: the words, and what they are. */
  tokens(file: string, text: string): Promise<readonly string[]>;
  /** Names of what is in a file, with the lines of each: `petstore/guide 4-9`. */
  symbols(file: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

const packageFile = createRequire(import.meta.url).resolve('yaml-language-server/package.json');
// Nothing is asked of the network: the public collection of schemas has none of ours.
const offline = { 'yaml.schemaStore.enable': false };

/** @param settings as in settings.json: flat keys */
export async function startLanguageClient(
  folder: string,
  settings: Readonly<Record<string, unknown>>,
  words: readonly string[] = [join(dirname(packageFile), 'bin/yaml-language-server'), '--stdio'],
): Promise<LanguageClient> {
  const server = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'ignore'], cwd: folder });
  const ended = once(server, 'close');
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const listeners = new Map<string, (found: readonly Diagnostic[]) => void>();
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: PublishDiagnosticsParams) =>
    listeners.get(uri)?.(diagnostics),
  );
  connection.onRequest('workspace/configuration', ({ items }: { readonly items: readonly { section?: string }[] }) =>
    items.map(({ section = '' }) => ofSection({ ...settings, ...offline }, section)),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();

  const uriOf = (file: string): string => pathToFileURL(join(folder, file)).href;
  // Nothing is ever closed: closing publishes that there are no problems.
  const versions = new Map<string, number>();
  const show = (uri: string, text: string): Promise<void> => {
    const before = versions.get(uri);
    const version = (before ?? 0) + 1;
    versions.set(uri, version);
    return before === undefined
      ? connection.sendNotification('textDocument/didOpen', {
          textDocument: { uri, languageId: 'yaml', version, text },
        })
      : connection.sendNotification('textDocument/didChange', {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        });
  };
  /** Shows the text to the server and waits for a verdict on it that will do. */
  const verdict = async (
    file: string,
    text: string,
    willDo: (found: readonly Diagnostic[]) => boolean,
  ): Promise<readonly Diagnostic[]> => {
    const uri = uriOf(file);
    const told = new Promise<readonly Diagnostic[]>((tell) =>
      listeners.set(uri, (found) => {
        if (willDo(found)) tell(found);
      }),
    );
    await show(uri, text);
    const found = await told;
    listeners.delete(uri);
    return found;
  };
  const at = async <T>(request: string, file: string, marked: string): Promise<T> => {
    const uri = uriOf(file);
    const before = marked.slice(0, marked.indexOf('‸')).split('\n');
    await show(uri, marked.replace('‸', ''));
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return connection.sendRequest<T>(request, { textDocument: { uri }, position });
  };

  const rootUri = pathToFileURL(folder).href;
  const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'project' }],
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true },
      textDocument: { completion: { completionItem: { snippetSupport: true } } },
    },
  });
  const tokenTypes = capabilities.semanticTokensProvider?.legend.tokenTypes ?? [];
  await connection.sendNotification('initialized', {});
  // Settings come late. Once they are in force, a tag that they name is none that is unknown.
  const [tag] = (settings['yaml.customTags'] ?? []) as readonly string[];
  if (tag !== undefined)
    await verdict('settings-in-force.yaml', `a: ${tag.split(' ')[0]} b\n`, (found) => found.length === 0);

  return {
    pid: server.pid ?? 0,
    problems: (file, text) => verdict(file, text, () => true),
    offers: async (file, text) => {
      const found = await at<CompletionList | CompletionItem[]>('textDocument/completion', file, text);
      return Array.isArray(found) ? found : found.items;
    },
    hover: async (file, text) => {
      const shown = await at<Hover | null>('textDocument/hover', file, text);
      return shown === null ? '' : JSON.stringify(shown.contents);
    },
    places: async (request, file, text) => {
      const found = await at<Location | Location[] | null>(`textDocument/${request}`, file, text);
      return [found ?? []]
        .flat()
        .map(({ uri, range }) => `${relative(folder, fileURLToPath(uri))}:${range.start.line + 1}`);
    },
    rename: async (file, marked, newName) => {
      const uri = uriOf(file);
      try {
        const range = await at<Range | null>('textDocument/prepareRename', file, marked);
        if (range === null) return 'nothing to rename';
        const { start: position } = range;
        const params = { textDocument: { uri }, position, newName };
        const { changes = {} } = await connection.sendRequest<WorkspaceEdit>('textDocument/rename', params);
        const texts = Object.entries(changes).map(([changed, edits]) => {
          const own = changed === uri ? marked.replace('‸', '') : readFileSync(fileURLToPath(changed), 'utf8');
          const document = TextDocument.create(changed, 'yaml', 0, own);
          return [relative(folder, fileURLToPath(changed)), TextDocument.applyEdits(document, edits)] as const;
        });
        return Object.fromEntries(texts);
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    actions: async (file, marked) => {
      const [uri, own] = [uriOf(file), marked.replace('‸', '')];
      const before = marked.slice(0, marked.indexOf('‸')).split('\n');
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      await verdict(file, own, () => true);
      const found = await connection.sendRequest<readonly CodeAction[]>('textDocument/codeAction', {
        ...{ textDocument: { uri }, range: { start: position, end: position } },
        context: { diagnostics: [] },
      });
      const document = TextDocument.create(uri, 'yaml', 0, own);
      const after = found.map(({ title, edit }) => [
        title,
        TextDocument.applyEdits(document, edit?.changes?.[uri] ?? []),
      ]);
      return Object.fromEntries(after) as Record<string, string>;
    },
    folds: async (file, text) => {
      await show(uriOf(file), text);
      const textDocument = { uri: uriOf(file) };
      const found = await connection.sendRequest<readonly FoldingRange[]>('textDocument/foldingRange', {
        textDocument,
      });
      return found.map(({ startLine, endLine }) => `${startLine + 1}-${endLine + 1}`);
    },
    tokens: async (file, text) => {
      await show(uriOf(file), text);
      const textDocument = { uri: uriOf(file) };
      const { data } = await connection.sendRequest<SemanticTokens>('textDocument/semanticTokens/full', {
        textDocument,
      });
      const lines = text.split('\n');
      let [line, start] = [0, 0];
      return Array.from({ length: data.length / 5 }, (_, at) => {
        const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = data.slice(5 * at, 5 * at + 5);
        [line, start] = [line + down, down > 0 ? right : start + right];
        const word = lines[line]?.slice(start, start + length) ?? '';
        return `${word} ${tokenTypes[type] ?? ''}${modifiers > 0 ? ' declaration' : ''}`;
      });
    },
    symbols: async (file) => {
      const found = await connection.sendRequest<readonly DocumentSymbol[]>('textDocument/documentSymbol', {
        textDocument: { uri: uriOf(file) },
      });
      const told = ({ name, range, children = [] }: DocumentSymbol): readonly string[] => [
        `${name} ${range.start.line + 1}-${range.end.line + 1}`,
        ...children.flatMap((child) => told(child).map((text) => `${name}/${text}`)),
      ];
      return found.flatMap(told);
    },
    close: async () => {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      await ended;
      connection.dispose();
    },
  };
}

/** `{'yaml.schemas': x}` → of the section `yaml`: `{schemas: x}`. */
function ofSection(settings: Readonly<Record<string, unknown>>, section: string): unknown {
  const own = Object.entries(settings).filter(([key]) => key.startsWith(`${section}.`));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(section.length + 1), value]));
}
