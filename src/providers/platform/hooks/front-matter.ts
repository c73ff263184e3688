import type { JsonObject } from '@platform-sync/core/model/value';

const block = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const entry = /^(title|description)[ \t]*:[ \t]*(?:"([^"]*)"|'([^']*)'|(.*?))[ \t]*$/;

/** What the front matter of a Markdown text says of title and description, as far as it is plain. */
export function frontMatter(content: string): JsonObject {
  const lines = block.exec(content)?.[1]?.split(/\r?\n/) ?? [];
  return Object.fromEntries(
    lines.flatMap((line) => {
      const match = entry.exec(line);
      const value = match?.[2] ?? match?.[3] ?? match?.[4];
      return match?.[1] === undefined || value === undefined || value === '' ? [] : [[match[1], value] as const];
    }),
  );
}
