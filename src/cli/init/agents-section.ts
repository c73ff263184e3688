import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const start = '<!-- platform-sync -->';
const end = '<!-- end of platform-sync -->';

/** Puts what a coding agent has to know into AGENTS.md: a section of its own, replaced when it is there. */
export async function writeAgentsSection(folder: string): Promise<string> {
  const path = join(folder, 'AGENTS.md');
  const text = await readFile(path, 'utf8').catch(() => '');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  const before = from < 0 ? (text === '' ? '' : `${text.trimEnd()}\n\n`) : text.slice(0, from);
  const after = from < 0 || to < from ? '\n' : text.slice(to + end.length);
  await writeFile(path, `${before}${start}\n${section}${end}${after}`);
  return 'AGENTS.md';
}

const section = `
## The catalogue (platform-sync)

\`sync.yaml\` and the files it names under \`catalogue\` say what should exist on the API platform. Edit files; the program does
the rest, after a review.

- Check every change: \`sync validate --format json\` (no network, no token). Exit 0 means valid; else each entry of
  \`diagnostics\` has \`code\`, \`summary\`, \`place\` (file, line, column) and often \`hint\`.
- What a type takes: \`sync schema Api --format json\`; without a name it lists all types and lookups. The schemas of files are
  in \`.platform-sync/\`.
- What would change: \`sync plan --format json\` (reads the platform, needs a token). Look at \`steps\`, \`guards\` and
  \`notCompared\`. With \`--detailed-exitcode\`, 2 means that there are changes.
- Rehearse against \`sync sandbox\`: set \`PLATFORM_SERVER_URL\` to the url it prints and \`PLATFORM_TOKEN\` to any text.
- A key is an address: renaming one deletes and creates. Keep the old address in \`options.aliases\`.
- A line taken out puts the field back to the platform's default. Long texts go into files: \`!file docs/guide.md\`.

Never:

- run \`sync apply\`, \`destroy\`, \`adopt\`, \`import\`, \`drift revert\` or \`state …\` against a real platform, unless you were told to;
- use \`--allow\`, or take \`protect\` away, to get past a guard: say what it holds back, and ask;
- write a token or password into a file: \`!env NAME\` reads it where the command runs;
- edit anything in \`.sync/\`, or a plan file.
`;
