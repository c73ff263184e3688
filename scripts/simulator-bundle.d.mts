export const root: string;
/** `changed` gives the text of a source, by its path from the root, that is to be another one. */
export function bundle(outfile: string, changed?: (file: string) => string | undefined): Promise<string>;
