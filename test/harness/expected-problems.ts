import { readFileSync } from 'node:fs';

/** A problem that a folder of fixtures expects; `summary` and `hint` need only be part of what is said. */
export interface Expected {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly severity?: string;
  readonly code: string;
  readonly summary: string;
  readonly hint?: string;
}

/** Reads `FILE:LINE:COLUMN  CODE  SUMMARY` and the `hint:` below it, as a terminal shows them; `-`: at no place. */
export function expectedProblems(file: string): readonly Expected[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split(/\n(?! )/)
    .map(problemOf);
}

function problemOf(text: string): Expected {
  const match = /^(?:-|(.+?):(\d+):(\d+)) {2}(\S+)(?: {2}(?:(warning|info): )?(.*))?(?:\n {2}hint: (.*))?$/.exec(text);
  const [, file, line, column, code, severity, summary = '', hint] = match ?? [];
  if (code === undefined) throw new Error(`not a problem: ${text}`);
  return {
    ...(file === undefined ? {} : { file, line: Number(line), column: Number(column) }),
    ...(severity === undefined ? {} : { severity }),
    ...(hint === undefined ? {} : { hint }),
    code,
    summary,
  };
}
