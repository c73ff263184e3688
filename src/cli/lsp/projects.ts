import { fileURLToPath } from 'node:url';
import type { Diagnostic as Shown, TextDocuments } from 'vscode-languageserver/node.js';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { OpenedProject, OpenOptions, ValidateResult } from '@platform-sync/engine/api';
import { diagnosticsOf } from '../process/known-error.js';
import { packagesHere } from '../run/packages-here.js';
import type { RunContext } from '../run/run-context.js';
import { CatalogueIndex } from './catalogue-index.js';
import { fileIn, folderOf, shownProblem, uriOf } from './positions.js';

/** Rests of typing, milliseconds: the whole is checked when nothing was typed for so long, later where the file itself was checked at once. */
const restMs = { before: 120, after: 500 } as const;

const offline = { isOffline: true, isForEveryStack: true } as const;

/** What is known of one project while its files are edited. */
interface Open {
  /** Of the last check without errors: names stay known while a line is half typed. */
  index?: CatalogueIndex;
  /** Files that problems were shown in. */
  shown: ReadonlySet<string>;
  /** By the last check. */
  found: readonly Diagnostic[];
  /** Checks one file by what the last check of the whole found. */
  recheck?: ValidateResult['recheck'];
  cancel?: () => void;
  /** Counts changes: what is found of an older text is not shown. */
  version: number;
}

/** An open document, and what is known of the project that it belongs to. */
export interface Here {
  readonly folder: string;
  readonly file: string;
  readonly document: TextDocument;
  readonly index: CatalogueIndex | undefined;
  readonly found: readonly Diagnostic[];
}

/** The projects that documents are open of; each is checked when one of them changes. */
export class Projects {
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

  here(uri: string): Here | undefined {
    const [folder, document] = [folderOf(uri), this.#documents.get(uri)];
    if (folder === undefined || document === undefined) return undefined;
    const { index, found } = this.#of(folder);
    return { folder, file: fileIn(folder, uri), document, index, found };
  }

  changed(uri: string): void {
    const folder = folderOf(uri);
    if (folder === undefined) return;
    const open = this.#of(folder);
    open.version += 1;
    // What comes at once is checked once.
    this.#later(folder, open, 0, () => this.#checkFile(folder, open, fileIn(folder, uri)));
  }

  #later(folder: string, open: Open, afterMs: number, work: () => Promise<void>): void {
    open.cancel?.();
    open.cancel = this.#context.host.world.after(afterMs, () => {
      work().catch((error: unknown) => this.#tell(folder, open, error));
    });
  }

  /** The file at once, the rest after a pause. */
  async #checkFile(folder: string, open: Open, file: string): Promise<void> {
    const { version } = open;
    const found = await open.recheck?.(file, this.#texts());
    if (version !== open.version) return;
    if (found !== undefined)
      this.#publish(folder, open, [...open.found.filter(({ place }) => place?.file !== file), ...found]);
    this.#later(folder, open, found === undefined ? restMs.before : restMs.after, () => this.#check(folder, open));
  }

  #of(folder: string): Open {
    const known = this.#open.get(folder) ?? { shown: new Set(), found: [], version: 0 };
    this.#open.set(folder, known);
    return known;
  }

  /** What `sync validate` says of the project as it stands in the editor. */
  async #check(folder: string, open: Open): Promise<void> {
    const { version } = open;
    const { project, diagnostics } = await this.openProject(folder);
    const validated = await project?.validate().finally(() => project.close());
    if (validated?.desired !== undefined) open.index = new CatalogueIndex(validated.desired);
    open.recheck = validated?.recheck;
    if (version === open.version) this.#publish(folder, open, [...diagnostics, ...(validated?.diagnostics ?? [])]);
  }

  /** As it stands in the editor. */
  async openProject(
    folder: string,
    how: Pick<OpenOptions, 'isOffline' | 'isForEveryStack' | 'compareSpecifications'> = offline,
  ): Promise<OpenedProject> {
    const { host, flags } = this.#context;
    return host.openProject({
      ...{ cwd: folder, env: host.env, purpose: 'editor', packages: await host.packages(), texts: this.#texts() },
      ...{ world: host.world, ...how },
      ...(flags.stack === undefined ? {} : { stack: flags.stack }),
    });
  }

  #texts(): ReadonlyMap<string, string> {
    const files = this.#documents.all().filter(({ uri }) => uri.startsWith('file:'));
    return new Map(files.map((each) => [fileURLToPath(each.uri), each.getText()]));
  }

  packages(folder: string): ReturnType<typeof packagesHere> {
    return packagesHere({ ...this.#context, folder });
  }

  /** An editor goes on: what is wrong is told, and the next change is checked again. */
  #tell(folder: string, open: Open, error: unknown): void {
    const known = diagnosticsOf(error);
    if (known !== undefined) this.#publish(folder, open, known);
    else this.#context.host.err(`bug: ${error instanceof Error ? error.message : String(error)}\n`);
  }

  #publish(folder: string, open: Open, found: readonly Diagnostic[]): void {
    open.found = found;
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
}
