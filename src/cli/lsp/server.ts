import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CompletionItem,
  CompletionItemKind,
  createConnection,
  type Diagnostic as Shown,
  DiagnosticSeverity,
  type Location,
  LSPErrorCodes,
  ProposedFeatures,
  type Range,
  ResponseError,
  SymbolKind,
  TextDocuments,
  TextDocumentSyncKind,
  type WorkspaceEdit,
} from 'vscode-languageserver/node.js';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, Place, SourceRange } from '@platform-sync/core/model/diagnostic';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import type { OpenedProject } from '@platform-sync/engine/api';
import { explainedField, explainedResource, fieldAt } from '@platform-sync/report/text/explained';
import { plainStyle } from '@platform-sync/report/text/style';
import { knownType, typeTokens } from '../arguments/package-index.js';
import { diagnosticsOf } from '../process/known-error.js';
import { packagesHere } from '../run/packages-here.js';
import { projectFolder, type RunContext } from '../run/run-context.js';
import { CatalogueIndex, type Spot } from './catalogue-index.js';
import { namedAt, type Named } from './named-at.js';
import { typedPlace, type TypedPlace } from './typed-place.js';

/** Rests of typing, milliseconds: a check begins when nothing was typed for so long. */
const restMs = 120;

const optionNames = [
  ...['dependsOn', 'protect', 'ignoreChanges', 'replaceOnChanges', 'deleteBeforeReplace'],
  ...['retainOnDelete', 'import', 'aliases', 'moved', 'allowBrokenSpecification'],
];

/** What is known of one project while its files are edited. */
interface Open {
  /** Of the last check without errors: names stay known while a line is half typed. */
  index?: CatalogueIndex;
  /** Files that problems were shown in. */
  shown: ReadonlySet<string>;
  cancel?: () => void;
  /** Number of the last check that began: an older one that ends after it is not shown. */
  checks: number;
}

/** Speaks the Language Server Protocol over standard input and output, until the editor ends it. */
export function serve(context: RunContext): Promise<void> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const server = new Server(context, documents, (uri, diagnostics) => connection.sendDiagnostics({ uri, diagnostics }));
  connection.onInitialize(() => ({
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      definitionProvider: true,
      referencesProvider: true,
      hoverProvider: true,
      documentSymbolProvider: true,
      completionProvider: { triggerCharacters: ['{', '.', ':', ' '] },
      renameProvider: { prepareProvider: true },
    },
    serverInfo: { name: 'platform-sync' },
  }));
  documents.onDidChangeContent(({ document }) => server.changed(document.uri));
  documents.onDidClose(({ document }) => server.changed(document.uri));
  connection.onDefinition(({ textDocument, position }) => server.definition(textDocument.uri, position));
  connection.onReferences(({ textDocument, position }) => server.references(textDocument.uri, position));
  connection.onHover(({ textDocument, position }) => server.hover(textDocument.uri, position));
  connection.onCompletion(({ textDocument, position }) => server.completion(textDocument.uri, position));
  connection.onPrepareRename(({ textDocument, position }) => server.renamed(textDocument.uri, position)?.range ?? null);
  connection.onRenameRequest(({ textDocument, position, newName }) =>
    server.rename(textDocument.uri, position, newName),
  );
  connection.onDocumentSymbol(({ textDocument }) => server.symbols(textDocument.uri));
  documents.listen(connection);
  return new Promise((ended) => {
    connection.onExit(() => ended());
    connection.listen();
  });
}

type Position = Range['start'];

class Server {
  readonly #context: RunContext;
  readonly #documents: TextDocuments<TextDocument>;
  readonly #show: (uri: string, shown: Shown[]) => void;
  readonly #open = new Map<string, Open>();

  constructor(
    context: RunContext,
    documents: TextDocuments<TextDocument>,
    show: (uri: string, shown: Shown[]) => void,
  ) {
    this.#context = context;
    this.#documents = documents;
    this.#show = show;
  }

  changed(uri: string): void {
    const folder = folderOf(uri);
    if (folder === undefined) return;
    const open = this.#of(folder);
    open.cancel?.();
    open.cancel = this.#context.host.world.after(restMs, () => {
      this.#check(folder, open).catch((error: unknown) => this.#tell(folder, open, error));
    });
  }

  #of(folder: string): Open {
    const known = this.#open.get(folder) ?? { shown: new Set(), checks: 0 };
    this.#open.set(folder, known);
    return known;
  }

  /** What `sync validate` says of the project as it stands in the editor. */
  async #check(folder: string, open: Open): Promise<void> {
    const number = (open.checks += 1);
    const { project, diagnostics } = await this.#openProject(folder);
    const validated = await project?.validate().finally(() => project.close());
    if (number !== open.checks) return;
    if (validated?.desired !== undefined) open.index = new CatalogueIndex(validated.desired);
    this.#publish(folder, open, [...diagnostics, ...(validated?.diagnostics ?? [])]);
  }

  /** As it stands in the editor. */
  async #openProject(folder: string): Promise<OpenedProject> {
    const { host, flags } = this.#context;
    const files = this.#documents.all().filter(({ uri }) => uri.startsWith('file:'));
    const texts = new Map(files.map((each) => [fileURLToPath(each.uri), each.getText()]));
    return host.openProject({
      ...{ cwd: folder, env: host.env, purpose: 'editor', packages: await host.packages(), texts },
      ...{ isOffline: true, isForEveryStack: true, world: host.world },
      ...(flags.stack === undefined ? {} : { stack: flags.stack }),
    });
  }

  /** An editor goes on: what is wrong is told, and the next change is checked again. */
  #tell(folder: string, open: Open, error: unknown): void {
    const known = diagnosticsOf(error);
    if (known !== undefined) this.#publish(folder, open, known);
    else this.#context.host.err(`bug: ${error instanceof Error ? error.message : String(error)}\n`);
  }

  #publish(folder: string, open: Open, found: readonly Diagnostic[]): void {
    // Of what is open, that it is well is said, too.
    const here = this.#documents.all().flatMap(({ uri }) => (folderOf(uri) === folder ? [fileIn(folder, uri)] : []));
    const byFile = new Map<string, Shown[]>([...open.shown, ...here].map((file) => [file, []]));
    for (const each of found) {
      const file = each.place?.file ?? 'sync.yaml';
      byFile.set(file, [...(byFile.get(file) ?? []), shownProblem(each)]);
    }
    for (const [file, shown] of byFile) this.#show(uriOf(folder, file), shown);
    open.shown = new Set([...byFile].flatMap(([file, shown]) => (shown.length > 0 ? [file] : [])));
  }

  /** The spot that a position is in, with its project. */
  #spot(uri: string, position: Position): { folder: string; index: CatalogueIndex; spot: Spot } | undefined {
    const folder = folderOf(uri);
    const document = this.#documents.get(uri);
    const index = folder === undefined ? undefined : this.#open.get(folder)?.index;
    if (folder === undefined || document === undefined || index === undefined) return undefined;
    const spot = index.at(fileIn(folder, uri), document.offsetAt(position));
    return spot === undefined ? undefined : { folder, index, spot };
  }

  definition(uri: string, position: Position): Location | null {
    const found = this.#spot(uri, position);
    if (found?.spot.kind !== 'reference') return null;
    const { index, folder, spot } = found;
    const { target, to } = spot.reference;
    const at = to === 'resource' ? index.desired.resources.get(target)?.at : index.desired.variables.get(target)?.at;
    return at === undefined ? null : locationOf(folder, index, at);
  }

  references(uri: string, position: Position): Location[] {
    const found = this.#spot(uri, position);
    if (found === undefined) return [];
    const { index, folder, spot } = found;
    const target = spot.kind === 'reference' ? spot.reference.target : spot.resource.address;
    return index.referencesTo(target).map(({ at }) => locationOf(folder, index, at));
  }

  async hover(uri: string, position: Position): Promise<{ contents: string } | null> {
    const found = this.#spot(uri, position);
    if (found === undefined) return null;
    const { index, spot } = found;
    if (spot.kind === 'property') {
      const type = await this.#type(uri, spot.resource.type);
      const field = type === undefined ? undefined : fieldAt(type, spot.name);
      return type === undefined || field === undefined
        ? null
        : { contents: block(explainedField(type, spot.name, field, plainStyle)) };
    }
    const resource = spot.kind === 'resource' ? spot.resource : index.desired.resources.get(spot.reference.target);
    if (resource === undefined) return null;
    const { dependencyGraph } = await import('@platform-sync/core/resolve/graph');
    const graph = dependencyGraph(index.desired);
    const { address, at } = resource;
    const neededBy = [...graph].flatMap(([other, needs]) => (needs.includes(address) ? [other] : []));
    const told = { resource, place: index.desired.sources.place(at), needs: graph.get(address) ?? [], neededBy };
    return { contents: block(explainedResource(told, plainStyle)) };
  }

  /** The key that is renamed from a position, of whichever resource stands there. */
  renamed(uri: string, position: Position): (Named & { readonly range: Range }) | undefined {
    const folder = folderOf(uri);
    const document = this.#documents.get(uri);
    const index = folder === undefined ? undefined : this.#open.get(folder)?.index;
    if (document === undefined || index === undefined) return undefined;
    const offset = document.offsetAt(position);
    const spot = index.at(fileIn(folder ?? '', uri), offset);
    const own = spot?.kind === 'resource' ? spot.resource.address : undefined;
    const found = namedAt(document.getText(), offset, own, (address) => index.desired.resources.has(address));
    if (found === undefined) return undefined;
    return { ...found, range: { start: document.positionAt(found.start), end: document.positionAt(found.end) } };
  }

  async rename(uri: string, position: Position, name: string): Promise<WorkspaceEdit> {
    const found = this.renamed(uri, position);
    const folder = folderOf(uri);
    if (found === undefined || folder === undefined) throw failed('No resource stands here.');
    const { project } = await this.#openProject(folder);
    if (project === undefined) throw failed('sync.yaml cannot be read.');
    const result = await project.rename(found.address, name).finally(() => project.close());
    if ('why' in result) throw failed(result.why);
    const changes = [...result.files].map(([file, { text, edits }]) => {
      const document = TextDocument.create(file, 'yaml', 0, text);
      const at = (offset: number): Position => document.positionAt(offset);
      return [
        uriOf(folder, file),
        edits.map((edit) => ({ range: { start: at(edit.start), end: at(edit.end) }, newText: edit.text })),
      ] as const;
    });
    return { changes: Object.fromEntries(changes) };
  }

  symbols(uri: string): { name: string; detail: string; kind: SymbolKind; range: Range; selectionRange: Range }[] {
    const folder = folderOf(uri);
    const index = folder === undefined ? undefined : this.#open.get(folder)?.index;
    if (folder === undefined || index === undefined) return [];
    return index.in(fileIn(folder, uri)).flatMap((spot) => {
      if (spot.kind !== 'resource') return [];
      const range = rangeOf(index.desired.sources.place(spot.at));
      const { address, type } = spot.resource;
      return [{ name: address, detail: shortToken(type), kind: SymbolKind.Object, range, selectionRange: range }];
    });
  }

  async completion(uri: string, position: Position): Promise<CompletionItem[]> {
    const document = this.#documents.get(uri);
    if (document === undefined) return [];
    const [text, offset] = [document.getText(), document.offsetAt(position)];
    const place = typedPlace(text.slice(0, offset), text.slice(offset));
    return place === undefined ? [] : this.#offers(uri, place);
  }

  async #offers(uri: string, place: TypedPlace): Promise<CompletionItem[]> {
    switch (place.kind) {
      case 'expression':
        return this.#expressionOffers(uri, place.head);
      case 'type':
        return named(await typeTokens(await this.#packages(uri)), CompletionItemKind.Class);
      case 'option':
        return named(optionNames, CompletionItemKind.Property);
      case 'resource':
        return named(['type', 'properties', 'children', 'options'], CompletionItemKind.Property);
      case 'property': {
        const type = await this.#type(uri, place.type);
        return type === undefined || place.path.length > 0 ? [] : fieldOffers(type, place.there);
      }
    }
  }

  async #expressionOffers(uri: string, head: string | undefined): Promise<CompletionItem[]> {
    const index = this.#open.get(folderOf(uri) ?? '')?.index;
    if (index === undefined) return [];
    const { resources, variables } = index.desired;
    if (head === undefined)
      return [
        ...named([...resources.keys()], CompletionItemKind.Reference),
        ...named([...variables.keys()], CompletionItemKind.Variable),
      ];
    const resource = resources.get(head);
    const type = resource === undefined ? undefined : await this.#type(uri, resource.type);
    return type === undefined
      ? []
      : named(['id', ...Object.keys(type.fields).filter((name) => name !== 'id')].sort(), CompletionItemKind.Field);
  }

  async #packages(uri: string): ReturnType<typeof packagesHere> {
    return packagesHere({ ...this.#context, folder: folderOf(uri) ?? this.#context.folder });
  }

  async #type(uri: string, name: string): Promise<ResourceType | undefined> {
    return knownType(await this.#packages(uri), name);
  }
}

/** What an editor shows of a request that it can't have. */
function failed(why: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, why);
}

function fieldOffers({ fields }: ResourceType, there: readonly string[]): CompletionItem[] {
  return Object.entries(fields).flatMap(([name, rule]) => {
    if (!rule.input || there.includes(name)) return [];
    const { required: isRequired } = rule;
    return [
      {
        ...{ label: name, kind: CompletionItemKind.Field, detail: isRequired ? 'required' : '' },
        ...{ documentation: rule.description, sortText: `${isRequired ? 0 : 1}${name}`, insertText: `${name}: ` },
      },
    ];
  });
}

function named(names: readonly string[], kind: CompletionItemKind): CompletionItem[] {
  return names.map((label) => ({ label, kind }));
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

function folderOf(uri: string): string | undefined {
  return uri.startsWith('file:') ? projectFolder(join(fileURLToPath(uri), '..')) : undefined;
}

/** As the catalogue names it. */
function fileIn(folder: string, uri: string): string {
  return relative(folder, fileURLToPath(uri)).replaceAll('\\', '/');
}

function uriOf(folder: string, file: string): string {
  return pathToFileURL(join(folder, file)).href;
}

function locationOf(folder: string, { desired }: CatalogueIndex, at: SourceRange): Location {
  return { uri: uriOf(folder, at.file), range: rangeOf(desired.sources.place(at)) };
}

function rangeOf({ line, column, endLine = line, endColumn = column }: Place): Range {
  return { start: { line: line - 1, character: column - 1 }, end: { line: endLine - 1, character: endColumn - 1 } };
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

function shownProblem({ place, severity, code, summary, detail, hint }: Diagnostic): Shown {
  return {
    range: rangeOf(place ?? { file: 'sync.yaml', line: 1, column: 1 }),
    severity: severities[severity],
    ...{ code, source: 'sync' },
    message: [summary, detail, hint].filter((part) => part !== undefined).join('\n'),
  };
}
