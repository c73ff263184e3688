// Holds a bill of materials against advisories in OSV's format: one record, a list of them, or an answer with `vulns`.
import semver from 'semver';

export function findAdvisories({ components }, given) {
  const records = recordsOf(given).filter(({ withdrawn }) => withdrawn === undefined);
  const hits = records.flatMap((record) =>
    record.affected.flatMap((affected) =>
      components
        .filter((component) => isMeant(affected, component))
        .map((component) => ({
          ...{ id: record.id, summary: record.summary ?? 'no summary' },
          component,
          range: words(affected),
        })),
    ),
  );
  return { advisories: records.length, components: components.length, hits };
}

function recordsOf(given) {
  const records = Array.isArray(given) ? given : (given.vulns ?? [given]);
  // One that is not understood must not pass for one that does not apply.
  for (const record of records)
    if (typeof record?.id !== 'string' || !Array.isArray(record.affected))
      throw new Error(`not a record of OSV's format: ${JSON.stringify(record).slice(0, 80)}`);
  return records;
}

function isMeant({ package: about, ranges = [], versions = [] }, { group, name, version }) {
  if (about?.ecosystem !== 'npm' || about.name !== (group === undefined ? name : `${group}/${name}`)) return false;
  return versions.includes(version) || ranges.some((range) => isWithin(range, version));
}

/** Events in the order of their versions: the last one at or before a version says whether that one is affected. */
function isWithin({ type, events }, version) {
  if (type === 'GIT') return false;
  return events
    .map((event) => ({ ...event, at: event.introduced ?? event.fixed ?? event.last_affected ?? event.limit }))
    .sort((a, b) => semver.compare(floor(a.at), floor(b.at)))
    .reduce((isAffected, { introduced, fixed, limit, last_affected: last, at }) => {
      const order = semver.compare(version, floor(at));
      if (introduced !== undefined) return isAffected || order >= 0;
      if (last !== undefined) return isAffected && order <= 0;
      return isAffected && !((fixed ?? limit) !== undefined && order >= 0);
    }, false);
}

/** OSV writes 0 for "from the beginning". */
function floor(version) {
  return version === '0' ? '0.0.0-0' : version;
}

function words({ ranges = [], versions = [] }) {
  const events = ranges.flatMap(({ events: each }) => each.flatMap((event) => Object.entries(event)));
  return [...events.map(([what, version]) => `${what} ${version}`), ...versions].join(', ');
}
