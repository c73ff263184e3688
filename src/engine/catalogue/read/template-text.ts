import type { Expression, PathSegment, ReferenceExpression } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { replacing } from '../problem/advice.js';
import { brokenValue, type BuildContext } from './build-context.js';

const escaping = replacing('Write $${ for a literal ${.', '${', '$${');

/** The expression of a text: a literal, one reference (which keeps its type), or text with references in it. */
export function readTemplate(text: string, at: SourceRange, context: BuildContext): Expression {
  if (!text.includes('${')) return { kind: 'literal', value: text, at };
  const parts = splitTemplate(text);
  if (parts === undefined) {
    context.problems.add('bad-reference', openingPlace(at, context), 'A "${" is never closed with "}".', {
      hint: escaping,
    });
    return brokenValue(context, at);
  }
  let from = at.start;
  let broken = false;
  const read = parts.map((part): string | Expression => {
    if (typeof part === 'string') return part;
    const place = referencePlace(part.reference, from, at, context);
    from = place.end;
    const reference = readReference(part.reference, place);
    if (reference !== undefined) return reference;
    broken = true;
    context.problems.add('bad-reference', place, `"\${${part.reference}}" is not a reference.`, {
      detail:
        'A reference names a resource or variable and a path into it: ${petstore.id}, ${petstore/guide.labels.team}.',
      hint: escaping,
    });
    return '';
  });
  if (broken) return brokenValue(context, at);
  const [first] = read;
  if (read.length === 1 && first !== undefined)
    return typeof first === 'string' ? { kind: 'literal', value: first, at } : first;
  return { kind: 'interpolation', parts: read, at };
}

function readReference(text: string, at: SourceRange): ReferenceExpression | undefined {
  const parsed = parseReference(text);
  if (parsed === undefined) return undefined;
  // Whether it is a resource or a variable is decided when all files are read.
  return { kind: 'reference', to: 'resource', target: parsed.target, path: parsed.path, text: text.trim(), at };
}

/** Where a reference stands inside its text; the whole text where escapes hide it. */
function referencePlace(text: string, from: number, at: SourceRange, { sources }: BuildContext): SourceRange {
  const written = sources.slice({ file: at.file, start: from, end: at.end });
  const offset = written.indexOf(`\${${text}}`);
  if (offset < 0) return { file: at.file, start: at.start, end: at.end };
  return { file: at.file, start: from + offset, end: from + offset + text.length + 3 };
}

function openingPlace(at: SourceRange, { sources }: BuildContext): SourceRange {
  const offset = sources.slice(at).lastIndexOf('${');
  return offset < 0 ? at : { file: at.file, start: at.start + offset, end: at.start + offset + 2 };
}

/** A text cut at its `${…}`: plain stretches, and what stands between the braces. */
type TemplatePart = string | { readonly reference: string };

/** Cuts a text at its references; `$${` becomes a plain `${`. Undefined when a `${` is never closed. */
export function splitTemplate(text: string): readonly TemplatePart[] | undefined {
  const parts: TemplatePart[] = [];
  let plain = '';
  let from = 0;
  for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', from)) {
    if (at > from && text[at - 1] === '$') {
      plain += `${text.slice(from, at - 1)}\${`;
      from = at + 2;
      continue;
    }
    const end = closingBrace(text, at + 2);
    if (end === undefined) return undefined;
    plain += text.slice(from, at);
    if (plain !== '') parts.push(plain);
    plain = '';
    parts.push({ reference: text.slice(at + 2, end) });
    from = end + 1;
  }
  plain += text.slice(from);
  if (plain !== '' || parts.length === 0) parts.push(plain);
  return parts;
}

/** Finds the `}` of a reference, looking over quoted keys (`${a["}"]}`). */
function closingBrace(text: string, from: number): number | undefined {
  const closing = /\["(?:[^"\\]|\\.)*"\]|[\n}]/g;
  closing.lastIndex = from;
  for (let match = closing.exec(text); match !== null; match = closing.exec(text)) {
    if (match[0] === '}') return match.index;
    if (match[0] === '\n') return undefined;
  }
  return undefined;
}

const namePattern = /^[A-Za-z_][A-Za-z0-9_-]*(?:\/[A-Za-z_][A-Za-z0-9_-]*)*/;
const stepPattern = /\.([A-Za-z_$][A-Za-z0-9_$-]*)|\[(\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Reads `a/b.c[0]["d"]`: a resource or variable, and the way into its value. Undefined when it is none. */
export function parseReference(
  text: string,
): { readonly target: string; readonly path: readonly PathSegment[] } | undefined {
  const trimmed = text.trim();
  const target = namePattern.exec(trimmed)?.[0];
  if (target === undefined) return undefined;
  const path: PathSegment[] = [];
  let at = target.length;
  while (at < trimmed.length) {
    stepPattern.lastIndex = at;
    const step = stepPattern.exec(trimmed);
    if (step === null) return undefined;
    const [whole, name, index, quoted] = step;
    path.push(name ?? (index === undefined ? (quoted ?? '').replace(/\\(.)/g, '$1') : Number(index)));
    at += whole.length;
  }
  return { target, path };
}
