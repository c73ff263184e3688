export const workspaces: ReadonlyMap<string, { readonly folder: string; readonly uses: readonly string[] }>;
export function sourceOf(specifier: string): string | undefined;
export const sourceAliases: Record<string, string>;
