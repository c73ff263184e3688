import { posix } from 'node:path';
import type { Address } from '@platform-sync/core/model/address';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';

/** Where readers on a review platform are, and where what a text is about is found for them. */
export interface ReviewPlace {
  /** Folder of sync.yaml inside its repository, forward slashes; empty: its root. */
  readonly folder?: string;
  /** Full hash of the commit the text is about. */
  readonly commit?: string;
  /** Addresses of pages: of the commit, of the run, and of the commit's files (with a slash at the end). */
  /** Stack that commands are typed for there. */
  readonly stack?: string;
  readonly links?: { readonly commit?: string; readonly run?: string; readonly files?: string };
}

/** A place in a file. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `file:line:column`; the file's name may hold colons itself. */
export function filePlace(text: string | undefined): FilePlace | undefined {
  const match = /^(.+):(\d+):(\d+)$/s.exec(text ?? '');
  if (match?.[1] === undefined) return undefined;
  return { file: match[1], line: Math.max(1, Number(match[2])), column: Math.max(1, Number(match[3])) };
}

/** The line of a field, else of the resource; what is no longer in the catalogue has none. */
export function placeInPlan(plan: Plan, address: Address, field?: string): FilePlace | undefined {
  const { sources, fieldSources } = plan.meta;
  const fields = Object.hasOwn(fieldSources, address) ? fieldSources[address] : undefined;
  const own = field !== undefined && fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
  return filePlace(own ?? (Object.hasOwn(sources, address) ? sources[address] : undefined));
}

/** A step stands at the line of its first changed field; a new object has many, so at its own. */
export function leadingField({ action, fields }: PlanStep): string | undefined {
  return action === 'create' ? undefined : fields[0]?.field;
}

/** The file as the repository knows it: tools and readers know nothing of the folder of sync.yaml. */
export function inRepository(file: string, { folder = '' }: ReviewPlace): string {
  return folder === '' ? file : posix.join(folder, file);
}

/** Address of the line's page on the platform; undefined where there is none. */
export function lineAddress({ file, line }: FilePlace, at: ReviewPlace): string | undefined {
  const files = at.links?.files;
  return files === undefined ? undefined : `${files}${pathInAddress(inRepository(file, at))}#L${line}`;
}

/** Nothing in a file's name ends the link or leaves the repository. */
function pathInAddress(file: string): string {
  return file
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) =>
      encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
        /[!'()*]/g,
        (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');
}
