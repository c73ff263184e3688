import type { ImportRequest } from '../api.js';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { defined } from '@platform-sync/core/model/defined';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { identityKey } from '@platform-sync/core/model/identity';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { parseImportId } from '../plan/import-id.js';
import type { Step } from '../plan/step.js';

/** Requests that can be asked about, and what is wrong with the others. */
export function checkRequests(
  requests: readonly ImportRequest[],
  desired: DesiredState,
  typeOf: (token: string) => ResourceType,
): { readonly sound: readonly ImportRequest[]; readonly problems: readonly Diagnostic[] } {
  const sound: ImportRequest[] = [];
  const problems: Diagnostic[] = [];
  const [byAddress, byObject] = [new Map<Address, ImportRequest>(), new Map<string, ImportRequest>()];
  for (const request of requests) {
    const { address, id, place } = request;
    const token = desired.resources.get(address)?.type;
    if (token === undefined) {
      problems.push({ ...notInCatalogue(address), ...defined({ place }) });
      continue;
    }
    const type = typeOf(token);
    const parsed = parseImportId(type, id);
    const key = 'identity' in parsed ? identityKey(token, parsed.identity) : undefined;
    const named = byAddress.get(address);
    const holder = key === undefined ? undefined : byObject.get(key);
    byAddress.set(address, named ?? request);
    if (key !== undefined) byObject.set(key, holder ?? request);
    if (named !== undefined) problems.push(namedTwice(request, named));
    else if ('problem' in parsed) problems.push({ ...parsed.problem, address, ...defined({ place }) });
    else if (holder !== undefined) problems.push(sameObject(request, holder, type));
    else sound.push(request);
  }
  return { sound, problems };
}

/** Problems of requests that a list names are shown where it does; where the catalogue has the resource comes second. */
export function atTheirPlaces(found: readonly Diagnostic[], requests: readonly ImportRequest[]): readonly Diagnostic[] {
  const places = new Map(requests.map(({ address, place }) => [address, place]));
  return found.map((one) => {
    const place = one.address === undefined ? undefined : places.get(one.address);
    if (place === undefined) return one;
    const stands = one.place === undefined ? [] : [{ place: one.place, message: `${one.address ?? ''} stands here` }];
    const related = [...stands, ...(one.related ?? [])];
    return { ...one, place, ...(related.length === 0 ? {} : { related }) };
  });
}

export function alreadyManaged(address: Address, record: RecordedResource | undefined): Diagnostic | undefined {
  if (record === undefined) return undefined;
  return {
    severity: 'error',
    code: 'already-managed',
    summary: `${address} is managed already: it is the object ${record.identity.id}.`,
    hint: `To take over another one, let go of this one first: sync state rm ${address}`,
    address,
  };
}

function notInCatalogue(address: Address): Diagnostic {
  return {
    severity: 'error',
    code: 'unknown-address',
    summary: `There is no resource ${address} in the catalogue, so there is nothing to import the object as.`,
    hint: 'Write the resource into a catalogue file first; `sync validate` shows whether it is right.',
  };
}

function namedTwice({ address, id, place }: ImportRequest, first: ImportRequest): Diagnostic {
  return {
    severity: 'error',
    code: 'import-twice',
    summary: `${address} is to take over ${first.id === id ? `the object ${id} twice` : `two objects: ${first.id} and ${id}`}.`,
    hint: 'One resource is one object: leave one of the two out.',
    address,
    ...defined({ place }),
    ...relatedTo(first),
  };
}

function sameObject({ address, id, place }: ImportRequest, first: ImportRequest, { name }: ResourceType): Diagnostic {
  return {
    severity: 'error',
    code: 'import-twice',
    summary: `${first.address} and ${address} are both to take over the ${name} ${id}.`,
    hint: 'One object belongs to one resource: leave one of the two out.',
    address,
    ...defined({ place }),
    ...relatedTo(first),
  };
}

function relatedTo({ address, place }: ImportRequest): Pick<Diagnostic, 'related'> {
  return place === undefined ? {} : { related: [{ place, message: `${address} is first named here` }] };
}

/** Fields that can't be read back are taken to be as the file says; the user must know. */
export function assumedEqual(step: Step): readonly Diagnostic[] {
  return [...step.declared.keys()]
    .filter((name) => step.type.fields[name]?.writeOnly === true && step.actual?.values[name] === undefined)
    .map((name) => ({
      severity: 'warning',
      code: 'assumed-equal',
      summary: `${name} of ${step.address} is never shown by the platform; it is assumed to be as in the catalogue.`,
      hint: `If it may differ, replace the object on purpose: sync plan --replace ${step.address}`,
      address: step.address,
      field: name,
    }));
}
