export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
export interface Packed {
  readonly product: string;
  readonly libsql: string;
  readonly fleet: string;
  readonly houseRules: string;
}
export function shippedManifest(): Manifest;
export function packAll(into: string, scratch: string, dist?: string): Packed;
export function packedIn(folder: string): Packed;
export function stageProduct(folder: string, integrity?: string): string;
export function stageLibsql(folder: string): string;
