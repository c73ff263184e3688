import { shortHash } from './text-hash.js';

/** What a comment or an issue is about. Hashes, so that no name can forge a marker. */
export interface Subject {
  /** Project and stack; absent where sync.yaml could not be read. */
  readonly project?: string;
  /** Stack and folder inside the repository: knows the subject again while the project's name is not known. */
  readonly place: string;
}

/** `project` is empty or absent where it is not known. */
export function subjectOf(
  { project = '', stack }: { readonly project?: string; readonly stack: string },
  folder: string,
): Subject {
  return {
    ...(project === '' ? {} : { project: shortHash(JSON.stringify([project, stack])) }),
    place: shortHash(JSON.stringify([stack, folder])),
  };
}

/** The same name, or the same folder: a project that was renamed or moved goes on in its comment. */
export function isSameSubject(a: Subject, b: Subject): boolean {
  return a.place === b.place || (a.project !== undefined && a.project === b.project);
}
