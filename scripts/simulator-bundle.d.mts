export const root: string;
/** Bundles the simulator with the sources, some texts replaced, and gives the file. */
export function bundle(
  outfile: string,
  patches?: readonly { readonly file: string; readonly before: string; readonly after: string }[],
): Promise<string>;
