import { defined } from '../engine/model/defined.js';
import type { DriftResult, Finding } from '../engine/model/drift.js';
import type { Json } from '../engine/model/value.js';
import { driftVerdict } from '../report/words/drift.js';
import type { DriftNews } from './drift-news.js';

// A value may be a whole page: the report has it, the message says that it moved.
const longestValue = 300;
const mostListed = 200;

/** The message as plain JSON, for programs. */
export function genericMessage(result: DriftResult, news: DriftNews, link?: string): Json {
  const { project, stack, targets, checkedAt, status } = result;
  return {
    formatVersion: 1,
    event: 'drift',
    ...{ project, stack, targets, checkedAt, status },
    summary: driftVerdict(result),
    findings: result.findings.length,
    recovered: news.recovered,
    ...defined({ link }),
    new: news.appeared.slice(0, mostListed).map(told),
    worse: news.worse.slice(0, mostListed).map(told),
    resolved: news.resolved.slice(0, mostListed).map(({ id, address, field, class: kind, by, firstSeen }) => ({
      ...{ id, address, class: kind, by, firstSeen },
      ...defined({ field }),
    })),
    notCompared: news.unchecked.slice(0, mostListed).map(({ id, address, type, diagnostic }) => ({
      ...{ id, type, code: diagnostic.code, summary: diagnostic.summary },
      ...defined({ address }),
    })),
    problems: result.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ code, summary }) => ({ code, summary })),
  };
}

function told(finding: Finding): Json {
  const { id, address, type, severity, firstSeen, todo } = finding;
  const { field, updatedAt, source } = finding;
  return {
    ...{ id, address, type, class: finding.class, severity, firstSeen, todo },
    ...defined({ field, updatedAt, source }),
    ...shortValue('old', finding.old),
    ...shortValue('new', finding.new),
  };
}

function shortValue(name: 'old' | 'new', value: Json | undefined): Readonly<Record<string, Json>> {
  if (value === undefined || JSON.stringify(value).length > longestValue) return {};
  const isSecret = typeof value === 'object' && value !== null && '$secret' in value;
  return { [name]: isSecret ? '(secret)' : value };
}
