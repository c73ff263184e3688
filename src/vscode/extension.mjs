// The extension for VS Code: a client of `sync lsp`, three commands, and what a plan does beside the lines that say so.
// It is bundled as it stands (scripts/release/vscode.mjs); whatever it knows of a project, the server tells it.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node.js';

const selector = { language: 'yaml', scheme: 'file' };
let stop = () => undefined;

export async function activate(context) {
  const [program = 'sync', ...words] = vscode.workspace.getConfiguration('platformSync').get('command') ?? [];
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  // A command that npm has installed is a script, which Windows starts by its shell alone.
  const server = spawn(program, [...words, 'lsp'], { cwd, shell: process.platform === 'win32' });
  server.on('error', ({ message }) =>
    vscode.window.showErrorMessage(
      `platform-sync: ${program} cannot be started (${message}). See platformSync.command.`,
    ),
  );
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const log = vscode.window.createOutputChannel('platform-sync');
  server.stderr.on('data', (chunk) => log.append(String(chunk)));
  server.on('error', () => connection.dispose());
  connection.listen();
  stop = () => connection.sendRequest('shutdown').then(() => connection.sendNotification('exit'));
  context.subscriptions.push(
    log,
    connection,
    ...commands(connection),
    ...diagnostics(connection),
    ...planMarks(connection),
  );
  const { capabilities } = await connection.sendRequest('initialize', {
    ...{ processId: process.pid, rootUri: null, capabilities: {} },
    workspaceFolders: (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name })),
  });
  await connection.sendNotification('initialized', {});
  context.subscriptions.push(...documents(connection), ...answers(connection), ...edits(connection));
  context.subscriptions.push(tokens(connection, capabilities.semanticTokensProvider.legend));
}

export async function deactivate() {
  await stop();
}

/** Tells the server which files of YAML are open, and every change of one. */
function documents(connection) {
  const isOurs = ({ languageId, uri }) => languageId === selector.language && uri.scheme === selector.scheme;
  const named = ({ uri, version }) => ({ uri: uri.toString(), version });
  const opened = (document) => {
    if (!isOurs(document)) return;
    const textDocument = { ...named(document), languageId: document.languageId, text: document.getText() };
    connection.sendNotification('textDocument/didOpen', { textDocument });
  };
  const changed = ({ document, contentChanges }) => {
    if (!isOurs(document) || contentChanges.length === 0) return;
    const changes = contentChanges.map(({ range, text }) => ({ range: plainRange(range), text }));
    connection.sendNotification('textDocument/didChange', { textDocument: named(document), contentChanges: changes });
  };
  const closed = (document) => {
    if (isOurs(document)) connection.sendNotification('textDocument/didClose', { textDocument: named(document) });
  };
  vscode.workspace.textDocuments.forEach(opened);
  return [
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidCloseTextDocument(closed),
  ];
}

function diagnostics(connection) {
  const collection = vscode.languages.createDiagnosticCollection('platform-sync');
  const shown = ({ range, message, severity, code, source }) =>
    // The protocol counts severities from 1.
    Object.assign(new vscode.Diagnostic(rangeOf(range), message, severity - 1), { code, source });
  const listening = connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics: found }) =>
    collection.set(vscode.Uri.parse(uri), found.map(shown)),
  );
  return [collection, listening];
}

/** What the server knows of a place. */
function answers(connection) {
  const ask = asking(connection);
  const { languages } = vscode;
  return [
    languages.registerHoverProvider(selector, {
      provideHover: async (document, position) => {
        const found = await ask('hover', document, { position });
        return found && new vscode.Hover(new vscode.MarkdownString(found.contents));
      },
    }),
    languages.registerDefinitionProvider(selector, {
      provideDefinition: async (document, position) => {
        const found = await ask('definition', document, { position });
        return found && locationOf(found);
      },
    }),
    languages.registerReferenceProvider(selector, {
      provideReferences: async (document, position) =>
        (await ask('references', document, { position, context: { includeDeclaration: false } })).map(locationOf),
    }),
    languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position) =>
          (await ask('completion', document, { position })).map(({ label, kind, ...more }) =>
            Object.assign(new vscode.CompletionItem(label, kind - 1), more),
          ),
      },
      ...['{', '.', ':', ' '],
    ),
    languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: async (document) => (await ask('documentSymbol', document)).map(symbolOf),
    }),
    languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: async (document) =>
        (await ask('foldingRange', document)).map(
          ({ startLine, endLine, kind }) =>
            new vscode.FoldingRange(startLine, endLine, kind && vscode.FoldingRangeKind.Comment),
        ),
    }),
  ];
}

function tokens(connection, { tokenTypes, tokenModifiers }) {
  const provider = {
    provideDocumentSemanticTokens: async (document) => {
      const { data } = await asking(connection)('semanticTokens/full', document);
      return new vscode.SemanticTokens(new Uint32Array(data));
    },
  };
  const legend = new vscode.SemanticTokensLegend(tokenTypes, tokenModifiers);
  return vscode.languages.registerDocumentSemanticTokensProvider(selector, provider, legend);
}

/** What changes files: a rename, and the edits that hints stand for. */
function edits(connection) {
  const ask = asking(connection);
  return [
    vscode.languages.registerRenameProvider(selector, {
      prepareRename: async (document, position) => {
        const found = await ask('prepareRename', document, { position });
        if (found === null) throw new Error('No resource stands here.');
        return rangeOf(found);
      },
      provideRenameEdits: async (document, position, newName) =>
        workspaceEdit(await ask('rename', document, { position, newName })),
    }),
    vscode.languages.registerCodeActionsProvider(selector, {
      provideCodeActions: async (document, range) =>
        (await ask('codeAction', document, { range: plainRange(range), context: { diagnostics: [] } })).map(
          ({ title, edit, isPreferred }) =>
            Object.assign(new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix), {
              ...{ edit: workspaceEdit(edit), isPreferred },
            }),
        ),
    }),
  ];
}

/** Commands of the program run in a terminal, where people can go on; a plan is shown beside the files. */
function commands(connection) {
  const register = (name, work) =>
    vscode.commands.registerCommand(`platformSync.${name}`, async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor !== undefined) await work(editor);
    });
  const run = ({ document }, ...words) => {
    const command = vscode.workspace.getConfiguration('platformSync').get('command') ?? ['sync'];
    const terminal = vscode.window.createTerminal({ name: 'platform-sync', cwd: dirname(document.uri.fsPath) });
    terminal.show();
    terminal.sendText([...command, ...words].join(' '));
  };
  return [
    register('plan', async ({ document }) => {
      const asked = connection.sendRequest('sync/plan', { textDocument: { uri: document.uri.toString() } });
      vscode.window.setStatusBarMessage('platform-sync is planning …', asked);
      await asked.then(
        (summary) => vscode.window.showInformationMessage(summary),
        ({ message }) => vscode.window.showErrorMessage(`platform-sync: ${message}`),
      );
    }),
    register('drift', (editor) => run(editor, 'drift')),
    register('explain', (editor) => {
      const word = explained(editor);
      if (word !== undefined) run(editor, 'explain', word);
    }),
  ];
}

/** The code of the problem that the cursor is in, else the address or name. */
function explained({ document, selection }) {
  const found = vscode.languages
    .getDiagnostics(document.uri)
    .find(({ source, range }) => source === 'sync' && range.contains(selection.active));
  const range = document.getWordRangeAtPosition(selection.active, /[\w:/-]*\w/);
  return found?.code ?? (range && document.getText(range));
}

/** What the last plan does, behind the lines that say so, until their file changes. */
function planMarks(connection) {
  const after = { margin: '0 0 0 2em', color: new vscode.ThemeColor('editorCodeLens.foreground') };
  const decoration = vscode.window.createTextEditorDecorationType({ after });
  let known = [];
  const show = () => {
    for (const editor of vscode.window.visibleTextEditors) {
      const own = known.filter(({ uri }) => uri === editor.document.uri.toString());
      const marks = own.map(({ range: { start }, text, detail }) => ({
        range: editor.document.lineAt(start.line).range,
        hoverMessage: detail,
        renderOptions: { after: { contentText: text } },
      }));
      editor.setDecorations(decoration, marks);
    }
  };
  const listening = connection.onNotification('sync/plan', ({ uri, marks }) => {
    known = [...known.filter((mark) => !mark.uri.startsWith(uri)), ...marks];
    show();
  });
  const changed = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length === 0) return;
    known = known.filter(({ uri }) => uri !== document.uri.toString());
    show();
  });
  return [decoration, listening, changed, vscode.window.onDidChangeVisibleTextEditors(show)];
}

function asking(connection) {
  return (request, document, more = {}) =>
    connection.sendRequest(`textDocument/${request}`, { textDocument: { uri: document.uri.toString() }, ...more });
}

function plainRange({ start, end }) {
  const plain = ({ line, character }) => ({ line, character });
  return { start: plain(start), end: plain(end) };
}

function rangeOf({ start, end }) {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function symbolOf({ name, detail, kind, range, selectionRange, children }) {
  const symbol = new vscode.DocumentSymbol(name, detail, kind - 1, rangeOf(range), rangeOf(selectionRange));
  return Object.assign(symbol, { children: children.map(symbolOf) });
}

function locationOf({ uri, range }) {
  return new vscode.Location(vscode.Uri.parse(uri), rangeOf(range));
}

function workspaceEdit({ changes }) {
  const edit = new vscode.WorkspaceEdit();
  for (const [uri, all] of Object.entries(changes))
    for (const { range, newText } of all) edit.replace(vscode.Uri.parse(uri), rangeOf(range), newText);
  return edit;
}
