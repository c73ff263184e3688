import { onlyStack } from '@platform-sync/core/model/project';
import { shortHash } from './text-hash.js';

/** What a comment or an issue is about. Hashes, so that no name can forge a marker. */
export interface Subject {
  /** Project and stack; absent where sync.yaml could not be read. */
  readonly project?: string;
  /** Stack and folder inside the repository: knows the subject again while the project's name is not known. */
  readonly place: string;
  readonly folder?: string;
  /** Nobody could tell the stack: any of the folder may be meant. */
  readonly isAnyStack?: true;
}

/** `project` and `stack` are empty or absent where they are not known. */
export function subjectOf(
  { project = '', stack = '' }: { readonly project?: string; readonly stack?: string },
  folder: string,
): Subject {
  return {
    ...(project === '' ? {} : { project: shortHash(JSON.stringify([project, stack])) }),
    // Most projects declare no stack.
    place: shortHash(JSON.stringify([stack === '' ? onlyStack : stack, folder])),
    folder: shortHash(folder),
    ...(stack === '' ? { isAnyStack: true } : {}),
  };
}

/** The same name, or the same folder: a project that was renamed or moved goes on in its comment. */
export function isSameSubject(a: Subject, b: Subject): boolean {
  return a.place === b.place || (a.project !== undefined && a.project === b.project);
}
