/** Folder → what npm's lockfile says of the package there. */
export type Packages = Readonly<
  Record<
    string,
    { readonly version?: string } & { readonly [flag in 'dev' | 'devOptional' | 'optional' | 'peer']?: true }
  >
>;

export function isComplete(lock: Packages, installed: Packages, wantsTools: boolean): boolean;
