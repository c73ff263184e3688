import type { PathSegment } from '../../model/expression.js';

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
