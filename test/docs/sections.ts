/** Each heading's anchor, as code hosts make it, and the text from that heading to the next one of its level or above. */
export function sectionsOf(text: string): ReadonlyMap<string, string> {
  // A `#` in a block of code begins no heading.
  const visible = text.replaceAll(/^( *)```[^]*?^\1```$/gm, (block) => block.replaceAll(/^#/gm, ' #'));
  const headings = [...visible.matchAll(/^(#+) (.+)$/gm)];
  const sections = new Map<string, string>();
  for (const [at, { index, 1: level = '', 2: title = '' }] of headings.entries()) {
    const isEnd = (later: RegExpMatchArray): boolean => (later[1] ?? '').length <= level.length;
    const end = level === '#' ? headings[at + 1] : headings.slice(at + 1).find(isEnd);
    sections.set(free(anchorOf(title), sections), visible.slice(index, end?.index));
  }
  return sections;
}

function anchorOf(title: string): string {
  const shown = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** The second heading of one name ends in `-1`. */
function free(anchor: string, sections: ReadonlyMap<string, string>): string {
  for (let count = 0; ; count++) {
    const candidate = count === 0 ? anchor : `${anchor}-${count}`;
    if (!sections.has(candidate)) return candidate;
  }
}
