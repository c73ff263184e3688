/** How things look where they are printed. Reports take one and never ask where that is. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  /** A text that tells what to type: its command lines as they have to be typed there. */
  readonly typed: (text: string) => string;
}

const same = (text: string): string => text;

/** No colour at all: files, pipes, tests. */
export const plainStyle: Style = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
  typed: same,
};

const sgr =
  (open: number, close: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`;

/** The six ANSI attributes every terminal knows. */
export const ansiStyle: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
  typed: same,
};
