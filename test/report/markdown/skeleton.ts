/**
 * What is left of a comment when everything a reader of Markdown takes literally is gone: fenced blocks, code spans
 * (as CommonMark ends them: by a run of just as many backticks), and the tags of collapsed blocks.
 */
export function markdownSkeleton(markdown: string): string {
  return withoutSpans(withoutTags(withoutFences(markdown)))
    .replace(/<\/?sub>/g, '')
    .replace(/^\*\*(.*)\*\*$/gm, '$1');
}

function withoutFences(markdown: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      if (marker === undefined) kept.push(line);
      else fence = marker;
    } else if (
      marker !== undefined &&
      marker[0] === fence[0] &&
      marker.length >= fence.length &&
      line.trim() === marker
    ) {
      fence = undefined;
    }
  }
  if (fence !== undefined) throw new Error('a fenced block does not end');
  return kept.join('\n');
}

/** Lines of raw HTML: inside them nothing but tags and entities counts. */
function withoutTags(markdown: string): string {
  return markdown
    .replace(/^<details(?: open)?><summary>(?:[^<>]|<code>[^<>]*<\/code>)*<\/summary>$/gm, '')
    .replace(/^<\/details>$/gm, '');
}

/** Spans end within their line: no report puts a line break into one. */
function withoutSpans(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => {
      let rest = '';
      for (let at = 0; at < line.length;) {
        const run = /^`+/.exec(line.slice(at))?.[0];
        if (run === undefined) {
          rest += line[at] ?? '';
          at += 1;
          continue;
        }
        const end = closingRun(line, at + run.length, run.length);
        if (end === undefined) throw new Error(`a code span does not end: ${line}`);
        at = end;
      }
      return rest;
    })
    .join('\n');
}

function closingRun(line: string, from: number, length: number): number | undefined {
  for (const match of line.slice(from).matchAll(/`+/g)) {
    if (match[0].length === length) return from + match.index + length;
  }
  return undefined;
}
