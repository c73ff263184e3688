/** How many dangers a comment lists, and how many it says it left out. */
export function toldDangers(markdown: string): { readonly titled: number; readonly told: number } {
  const part = /### What can hurt\n([\s\S]*?)\n(?=###|<sub>|Left out)/.exec(markdown)?.[1] ?? '';
  const titled = [...part.matchAll(/^\*\*[^*]+: (\d+)\*\*$/gm)].reduce((sum, match) => sum + Number(match[1]), 0);
  const hidden = [...part.matchAll(/^- … and (\d+) more/gm)].reduce((sum, match) => sum + Number(match[1]), 0);
  const listed = part.match(/^- [^…].* \(`+[^`].*$/gm)?.length ?? 0;
  return { titled, told: listed + hidden };
}
