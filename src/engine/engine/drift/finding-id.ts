import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import type { DriftClass } from '@platform-sync/core/model/drift';

/** Names a finding in every check that sees it. Forty bits: two among ten thousand are alike once in 20,000 checks. */
export function findingId(address: Address, field: string | undefined, kind: DriftClass | 'not-compared'): string {
  return sha256(canonicalJson([address, field ?? null, kind])).slice(0, 10);
}
