export interface Patch {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}
export const root: string;
export function bundle(outfile: string): Promise<string>;
export function bundler(
  outfile: string,
  files: readonly string[],
): Promise<{ readonly make: (patches: readonly Patch[]) => Promise<string>; readonly close: () => Promise<void> }>;
