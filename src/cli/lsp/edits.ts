import {
  type CodeAction,
  CodeActionKind,
  LSPErrorCodes,
  type Range,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver/node.js';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { correctionEdits } from '@platform-sync/catalogue/edit/correct';
import { type Address, lastKey } from '@platform-sync/core/model/address';
import { type Position, rangeOf, shownEdit, shownProblem, touches, uriOf } from './positions.js';
import type { Here, Projects } from './projects.js';

/** The address that stands at a position, as far as the key that the position is in, and where that key is. */
export function addressAt(
  { document, file, index }: Here,
  position: Position,
): { readonly address: Address; readonly range: Range } | undefined {
  if (index === undefined) return undefined;
  const [text, offset] = [document.getText(), document.offsetAt(position)];
  const spot = index.at(file, offset);
  const before = /[\w/-]*$/.exec(text.slice(0, offset))?.[0] ?? '';
  const after = /^[\w-]*/.exec(text.slice(offset))?.[0] ?? '';
  const address = spot?.kind === 'resource' ? spot.resource.address : before + after;
  const end = offset + after.length;
  const start = end - lastKey(address).length;
  if (!index.desired.resources.has(address) || text.slice(start, end) !== lastKey(address)) return undefined;
  return { address, range: { start: document.positionAt(start), end: document.positionAt(end) } };
}

export async function rename(
  projects: Projects,
  here: Here | undefined,
  position: Position,
  name: string,
): Promise<WorkspaceEdit> {
  const found = here && addressAt(here, position);
  if (here === undefined || found === undefined) throw failed('No resource stands here.');
  const { folder } = here;
  const { project } = await projects.openProject(folder);
  if (project === undefined) throw failed('sync.yaml cannot be read.');
  const result = await project.rename(found.address, name).finally(() => project.close());
  if ('why' in result) throw failed(result.why);
  const changes = [...result.files].map(([file, { text, edits }]) => {
    const document = TextDocument.create(file, 'yaml', 0, text);
    return [uriOf(folder, file), edits.map((edit) => shownEdit(document, edit))] as const;
  });
  return { changes: Object.fromEntries(changes) };
}

/** What an editor shows of a request that it can't have. */
export function failed(why: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, why);
}

/** The edits that hints stand for, of the problems in a range. */
export function actionsIn({ document, file, found }: Here, range: Range): CodeAction[] {
  return found.flatMap((problem) => {
    const { place, correction, hint, summary } = problem;
    if (place?.file !== file || correction === undefined || !touches(range, rangeOf(place))) return [];
    const edits = correctionEdits(document.getText(), place, correction).map((edit) => shownEdit(document, edit));
    const title = hint ?? (correction.kind === 'add' ? `Add ${correction.key}` : summary);
    const action = { title, kind: CodeActionKind.QuickFix, diagnostics: [shownProblem(problem)], isPreferred: true };
    return edits.length === 0 ? [] : [{ ...action, edit: { changes: { [document.uri]: edits } } }];
  });
}
