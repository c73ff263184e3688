import { defined, isList, isObject, type Json } from '@platform-sync/core/model/value';
import { driftSeverities, type NewsFinding } from '@platform-sync/core/model/drift';
import type { SortedNews } from '@platform-sync/report/document/news';
import { checkVerdict } from '@platform-sync/report/words/drift';
import type { MessagePlace } from './message-place.js';

const mostListed = 200;

/** The message as plain JSON, for programs. */
export function genericMessage(news: SortedNews, { link, ownersOf }: MessagePlace): Json {
  const { project, stack, targets, checkedAt, status, findings } = news.check;
  const listed = (found: NewsFinding): Json => told(found, ownersOf(found.source ?? ''));
  return {
    formatVersion: 1,
    event: 'drift',
    ...{ project, stack, targets, checkedAt, status },
    summary: checkVerdict(news.check),
    findings: driftSeverities.reduce((sum, severity) => sum + findings[severity], 0),
    recovered: news.recovered,
    ...defined({ link }),
    new: news.appeared.slice(0, mostListed).map(listed),
    worse: news.worse.slice(0, mostListed).map(listed),
    resolved: news.resolved.slice(0, mostListed).map(({ id, address, field, class: kind, by, firstSeen }) => ({
      ...{ id, address, class: kind, by, firstSeen },
      ...defined({ field }),
    })),
    notCompared: news.unread.slice(0, mostListed).map(({ id, address, type, diagnostic }) => ({
      ...{ id, type, code: diagnostic.code, summary: diagnostic.summary },
      ...defined({ address }),
    })),
    problems: news.problems.map(({ code, summary }) => ({ code, summary })),
  };
}

function told(finding: NewsFinding, owners: readonly string[]): Json {
  const { id, address, type, severity, firstSeen, todo } = finding;
  const { field, updatedAt, source, name, visible, objectId, importId, flaps } = finding;
  // Programs know the objects of the catalogue by their address.
  const object = importId === undefined ? {} : { objectId, name, visible, importId };
  return {
    ...{ id, address, type, class: finding.class, severity, firstSeen, todo },
    ...defined({ field, updatedAt, source, flaps, ...object }),
    ...(owners.length === 0 ? {} : { owners }),
    ...wholeValue('old', finding),
    ...wholeValue('new', finding),
  };
}

/** Programs get whole values or none. */
function wholeValue(name: 'old' | 'new', { cut = [], ...finding }: NewsFinding): Readonly<Record<string, Json>> {
  const value = finding[name];
  if (value === undefined || cut.includes(name)) return {};
  return { [name]: withoutSeals(value) };
}

function withoutSeals(value: Json): Json {
  if (isList(value)) return value.map(withoutSeals);
  if (!isObject(value)) return value;
  if ('$secret' in value) return '(secret)';
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSeals(member)]));
}
