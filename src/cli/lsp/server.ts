import {
  CodeActionKind,
  createConnection,
  ProposedFeatures,
  type TextDocumentPositionParams,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node.js';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { RunContext } from '../run/run-context.js';
import { completion, definition, hover, references, symbols } from './answers.js';
import type { CompareSpecifications } from '@platform-sync/engine/api';
import { actionsIn, failed, rename, addressAt } from './edits.js';
import { type Here, Projects } from './projects.js';
import type { planMarks } from './plan-marks.js';
import { foldings, tokenLegend, tokensOf } from './tokens.js';

/** Plans as `sync plan` does, of the files as they stand in the editor; what it does is told beside them, and in one line. */
async function plan(
  projects: Projects,
  folder: string | undefined,
  tell: (marks: Awaited<ReturnType<typeof planMarks>>) => Promise<void>,
): Promise<string> {
  if (folder === undefined) throw failed('No project stands here.');
  const compare = async (): Promise<CompareSpecifications> =>
    (await import('@platform-sync/report/openapi/caller-changes')).callerChanges;
  const { project, diagnostics } = await projects.openProject(folder, { compareSpecifications: compare });
  const made = await project?.plan().finally(() => project.close());
  if (made?.plan === undefined) throw failed((made?.diagnostics ?? diagnostics)[0]?.summary ?? 'There is no plan.');
  const { planMarks } = await import('./plan-marks.js');
  const marks = await planMarks(made.plan, folder);
  await tell(marks);
  return marks.summary;
}

/** Speaks the Language Server Protocol over standard input and output, until the editor ends it. */
export function serve(context: RunContext): Promise<void> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const projects = new Projects(context, documents, (uri, shown) =>
    connection.sendDiagnostics({ uri, diagnostics: shown }),
  );
  const at = <T>(
    { textDocument }: { readonly textDocument: { readonly uri: string } },
    none: T,
    work: (here: Here) => T,
  ): T => {
    const here = projects.here(textDocument.uri);
    return here === undefined ? none : work(here);
  };
  connection.onInitialize(() => ({
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      definitionProvider: true,
      referencesProvider: true,
      hoverProvider: true,
      documentSymbolProvider: true,
      foldingRangeProvider: true,
      semanticTokensProvider: { legend: tokenLegend, full: true },
      completionProvider: { triggerCharacters: ['{', '.', ':', ' '] },
      renameProvider: { prepareProvider: true },
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    },
    serverInfo: { name: 'platform-sync' },
  }));
  documents.onDidChangeContent(({ document }) => projects.changed(document.uri));
  documents.onDidClose(({ document }) => projects.changed(document.uri));
  connection.onDefinition((asked) => at(asked, null, (here) => definition(here, asked.position)));
  connection.onReferences((asked) => at(asked, [], (here) => references(here, asked.position)));
  connection.onHover((asked) => at(asked, Promise.resolve(null), (here) => hover(projects, here, asked.position)));
  connection.onCompletion((asked) =>
    at(asked, Promise.resolve([]), (here) => completion(projects, here, asked.position)),
  );
  connection.onPrepareRename((asked) => at(asked, null, (here) => addressAt(here, asked.position)?.range ?? null));
  connection.onRenameRequest((asked) =>
    rename(projects, projects.here(asked.textDocument.uri), asked.position, asked.newName),
  );
  connection.onCodeAction((asked) => at(asked, [], (here) => actionsIn(here, asked.range)));
  connection.onDocumentSymbol((asked) => at(asked, [], symbols));
  connection.onRequest('sync/plan', ({ textDocument }: TextDocumentPositionParams) =>
    plan(projects, projects.here(textDocument.uri)?.folder, (marks) => connection.sendNotification('sync/plan', marks)),
  );
  connection.onFoldingRanges((asked) => at(asked, [], ({ document }) => foldings(document.getText())));
  connection.languages.semanticTokens.on((asked) => at(asked, { data: [] }, ({ document }) => tokensOf(document)));
  documents.listen(connection);
  return new Promise((ended) => {
    connection.onExit(() => ended());
    connection.listen();
  });
}
