import { chmodSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectFiles } from '@platform-sync/catalogue/read/file-texts';
import { passingName } from '@platform-sync/core/model/process-identity';

const byteOrderMark = '\uFEFF';

/** Texts of a project that are changed together: all of them, or, after `putBack`, none. `isDry`: they are only remembered. */
export class ProjectTexts {
  readonly #root: string;
  readonly #dry: Map<string, string> | undefined;
  /** Real path → bytes before the first change. */
  readonly #before = new Map<string, Buffer>();
  readonly #written = new Set<string>();

  constructor(root: string, isDry = false) {
    this.#root = root;
    this.#dry = isDry ? new Map() : undefined;
  }

  /** Files written, relative to the project folder, sorted. */
  get written(): readonly string[] {
    return [...this.#written].sort();
  }

  /** The text without its byte order mark; undefined for what the project may not read. */
  read(file: string): string | undefined {
    const remembered = this.#dry?.get(file);
    if (remembered !== undefined) return remembered;
    const read = new ProjectFiles(this.#root).read(file);
    return read.ok ? read.text : undefined;
  }

  /** Replaces a file that can be read, at once; its mode and byte order mark stay. */
  write(file: string, text: string): void {
    if (this.#dry !== undefined) return void this.#dry.set(file, text);
    const path = realpathSync(join(this.#root, file));
    const bytes = readFileSync(path);
    if (!this.#before.has(path)) this.#before.set(path, bytes);
    const mark = bytes.toString('utf8', 0, 3) === byteOrderMark ? byteOrderMark : '';
    replaceFile(path, mark + text);
    this.#written.add(file);
  }

  putBack(): void {
    for (const [path, bytes] of this.#before) replaceFile(path, bytes);
    this.#before.clear();
    this.#written.clear();
  }
}

function replaceFile(path: string, content: string | Buffer): void {
  const { mode } = statSync(path);
  const passing = passingName(path);
  writeFileSync(passing, content, { mode });
  // The mode at creation is cut by the process's mask.
  chmodSync(passing, mode);
  renameSync(passing, path);
}
