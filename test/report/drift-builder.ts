import type { DriftResult, Finding } from '@platform-sync/core/model/drift';

/** A check with what is given; the rest is a clean one. */
export function driftResult(given: Partial<DriftResult> = {}): DriftResult {
  return {
    ...{ formatVersion: 1, engine: '1.0.0', project: 'payments', stack: 'default' },
    targets: { platform: 'https://platform.example.com' },
    ...{ checkedAt: '2030-05-02T03:00:00.000Z', status: 'clean', lastSuccess: '2030-05-02T03:00:00.000Z' },
    ...{ findings: [], notCompared: [], resolved: [], ignored: [], converged: [], unapplied: [], unmanaged: [] },
    ...{ compared: 12, requests: 3, diagnostics: [] },
    ...given,
  };
}

export function finding(given: Partial<Finding> = {}): Finding {
  return {
    ...{ id: '1a2b3c4d5e', address: 'petstore', type: 'platform:index/api:Api', class: 'modified' },
    ...{ field: 'description', old: 'All about pets', new: 'Clicked', severity: 'low', trend: 'new' },
    ...{ firstSeen: '2030-05-01T03:00:00.000Z', lastSeen: '2030-05-02T03:00:00.000Z' },
    ...{ updatedAt: '2030-04-30T12:00:00.000Z', objectId: 'id-1', source: 'catalogue/pets.yaml:4:7' },
    ...{ verbs: ['revert', 'accept', 'record', 'ignore'], todo: 'Put it back with revert.' },
    ...given,
  };
}
