import type { Expression, ReferenceExpression } from '../../model/expression.js';
import type { SourceRange } from '../../model/place-in-file.js';
import { brokenValue, type BuildContext } from './build-context.js';
import { parseReference, splitTemplate } from './reference-syntax.js';

const escapeHint = 'Write $${ for a literal ${.';

/** The expression of a text: a literal, one reference (which keeps its type), or text with references in it. */
export function readTemplate(text: string, at: SourceRange, context: BuildContext): Expression {
  if (!text.includes('${')) return { kind: 'literal', value: text, at };
  const parts = splitTemplate(text);
  if (parts === undefined) {
    context.problems.add('bad-reference', openingPlace(at, context), 'A "${" is never closed with "}".', {
      hint: escapeHint,
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
    context.problems.add('bad-reference', place, `"\${${part.reference}}" is no reference.`, {
      detail:
        'A reference names a resource or variable and a way into it: ${petstore.id}, ${petstore/guide.labels.team}.',
      hint: escapeHint,
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
