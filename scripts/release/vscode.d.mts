export function bundledExtension(): Promise<string>;
export function packedExtension(version: string): Promise<Uint8Array>;
