import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';

/**
 * Puts texts between `<!-- bench:NAME -->` and `<!-- end of bench -->` of a Markdown text. Names without a text, and
 * texts without such a place, are left alone.
 */
export function fillBlocks(text: string, blocks: ReadonlyMap<string, string>): string {
  return text.replace(
    /(<!-- bench:([a-z-]+) -->\n)[\s\S]*?(<!-- end of bench -->)/g,
    (whole, start: string, name: string, end: string) => {
      const block = blocks.get(name);
      return block === undefined ? whole : `${start}\n${block}\n\n${end}`;
    },
  );
}

/** Does so in a file, and sets the tables as the rest of the project is formatted. */
export async function fillFile(path: string, blocks: ReadonlyMap<string, string>): Promise<void> {
  const filled = fillBlocks(await readFile(path, 'utf8'), blocks);
  await writeFile(path, await format(filled, { ...(await resolveConfig(path)), filepath: path }));
}
