import type { RefreshOptions, RefreshResult } from '../api.js';
import { oldOneLeft, refreshedRecord } from '../apply/record.js';
import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Reading } from '@platform-sync/core/model/snapshot';
import { isSettling, type RecordedResource, type StateChange } from '@platform-sync/core/model/state';
import type { Seals } from '@platform-sync/core/value/seal';
import { sealsOf } from '../sealed-state.js';
import { withAllWritten } from '../plan/dropped-parts.js';
import { settling } from '../refresh/evidence.js';
import { readContext, seenNow, settled, withChanges } from './plan/load.js';
import type { Workspace } from '../workspace.js';
import { withLease } from './lease.js';
import { expectedDiagnostics } from './expected.js';
import { recordedChoice, sinceCommit } from './selection/terms.js';
import { isPart, partOf } from './selection/part.js';

/** Takes what the platform has into state, nothing else. What is gone there is dropped here. */
export async function refreshState(workspace: Workspace, options: RefreshOptions = {}): Promise<RefreshResult> {
  try {
    return await withLease(workspace, options, async (lease) => {
      const store = await workspace.state();
      const stored = await store.read();
      const seals = sealsOf(stored, workspace.redactor);
      await workspace.loadPackages([...stored.resources.values(), ...stored.intents].map((known) => known.type));
      const reads = workspace.reads();
      const recovery = await settled({
        ...{ state: stored, store },
        typeOf: workspace.typeOf,
        reads,
        seals,
        ...settling(workspace),
        kept: stored.intents.length === 0 ? [] : await (await workspace.outbox()).read(),
      });
      const state = withChanges(stored, recovery.changes);
      await workspace.loadPackages([...state.resources.values()].map((known) => known.type));
      reads.keepOnly(new Set());
      const { isChosen, reads: read } = isPart(options)
        ? await partOf(options, recordedChoice(state.resources), state.resources, (commit) =>
            changedInFiles(workspace, commit),
          )
        : { isChosen: all, reads: state.resources };
      const seen = { ...state, resources: only(state.resources, (address) => read.has(address)) };
      const snapshot = await seenNow(workspace, seals, {
        ...readContext(workspace, seen, seals, reads),
        deleting: recovery.deleting,
        mode: 'full',
        desired: new Map(),
      });
      const outcome = changesOf(workspace, only(state.resources, isChosen), snapshot.readings, seals);
      const changes = [...recovery.changes, ...outcome.changes];
      if (changes.length > 0 || store.isUnsealed()) await store.commit(lease, changes);
      recovery.recovered.forEach(workspace.emit);
      const unread = snapshot.unread.map(({ diagnostic }) => diagnostic);
      return {
        ...outcome.result,
        diagnostics: [...recovery.diagnostics, ...unread, ...outcome.result.diagnostics],
        notCompared: outcome.result.notCompared + unread.length,
      };
    });
  } catch (error) {
    return { diagnostics: expectedDiagnostics(error), changed: [], gone: [], unchanged: 0, notCompared: 0 };
  }
}

type Records = ReadonlyMap<Address, RecordedResource>;

const all = (): boolean => true;

function only(records: Records, isMeant: (address: Address) => boolean): Records {
  return new Map([...records].filter(([address]) => isMeant(address)));
}

/** The files are looked at for nothing else. */
async function changedInFiles(workspace: Workspace, commit: string): Promise<ReadonlySet<Address>> {
  const { desired, diagnostics } = await workspace.catalogue();
  if (desired === undefined) throw new DiagnosticError(diagnostics);
  return sinceCommit(workspace, desired)(commit);
}

/** What an answer that may be old lacks is not let go of; nor is its revision known then, so that the next plan finds who took it away. */
function notLetGoOf(recorded: RecordedResource, type: ResourceType, actual: JsonObject, seals: Seals): JsonObject {
  const known = withAllWritten({ type, recorded, actual, seals });
  if (known === actual) return actual;
  const { [type.revision ?? '']: _, ...values } = known;
  return values;
}

function changesOf(
  workspace: Workspace,
  recorded: Records,
  readings: ReadonlyMap<Address, Reading>,
  seals: Seals,
): { readonly changes: readonly StateChange[]; readonly result: RefreshResult } {
  const { settledBefore } = settling(workspace);
  const changes: StateChange[] = [];
  const changed: Address[] = [];
  const gone: Address[] = [];
  const diagnostics: Diagnostic[] = [];
  let [unchanged, notCompared] = [0, 0];
  for (const [address, record] of recorded) {
    const reading = readings.get(address);
    if (reading === undefined) continue;
    if (reading.kind === 'failed') {
      diagnostics.push({ ...reading.diagnostic, address });
      notCompared += 1;
    } else if (reading.kind === 'gone' && record.deposed.length > 0) {
      const [summary, hint] = [`${address} is gone, and stays in state.`, oldOneLeft(record)];
      diagnostics.push({ severity: 'warning', code: 'cannot-record', summary, hint, address });
      unchanged += 1;
    } else if (reading.kind === 'gone') {
      gone.push(address);
      changes.push({ kind: 'remove', address });
    } else {
      const type = workspace.typeOf(record.type);
      const isYoung = isSettling(record.writtenAt, settledBefore);
      const values = isYoung ? notLetGoOf(record, type, reading.values, seals) : reading.values;
      const next = refreshedRecord(record, type, values, seals);
      if (canonicalJson(next) === canonicalJson(record)) unchanged += 1;
      else {
        changed.push(address);
        changes.push({ kind: 'put', resource: next });
      }
    }
  }
  return { changes, result: { diagnostics, changed, gone, unchanged, notCompared } };
}
