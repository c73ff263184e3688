/** How many dangers a comment lists, and how many it says it left out. */
export function toldDangers(markdown: string): { readonly titled: number; readonly told: number } {
  const part = /^### What can hurt\n([\s\S]*?)\n(?=###|<sub>|Left out)/m.exec(markdown)?.[1] ?? '';
  const titled = [...part.matchAll(/^\*\*[^*]+: (\d+)\*\*$/gm)].reduce((sum, match) => sum + Number(match[1]), 0);
  const hidden = [...part.matchAll(/^- … and (\d+) more/gm)].reduce((sum, match) => sum + Number(match[1]), 0);
  const items = part.match(/^- [^…].* \(`+[^`].*$/gm) ?? [];
  return { titled, told: hidden + items.reduce((sum, item) => sum + stepsOf(item), 0) };
}

/** An item stands for one step, for some that are alike, or for one and what goes along with it. */
function stepsOf(item: string): number {
  const alike = /^- \*\*(\d+) alike:\*\* /.exec(item)?.[1];
  return Number(alike ?? 1) + Number(/and with it (\d+) more, such as `/.exec(item)?.[1] ?? 0);
}
