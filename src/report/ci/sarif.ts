import { defined, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Document } from '../document/document.js';
import { documentFindings, type Finding } from '../document/findings.js';
import { findingRules, type FindingRule } from '../document/rules.js';
import { inRepository, type ReviewPlace } from '../view/review-place.js';
import { jsonText } from '../words/json-text.js';

// Consumers refuse longer runs; the worst come first.
const maxResults = 5000;
// What has no line of its own is shown at the project file.
const projectFile = 'sync.yaml';

/** A document as SARIF 2.1.0: one result for each thing a reviewer should see, at the line that caused it. */
export function documentSarif(document: Document, at: ReviewPlace = {}): string {
  const { subject, engine, values } = document;
  const { project, stack } = subject;
  const findings = documentFindings(document).flatMap((one) => [one, ...one.others]);
  const rules = Object.keys(findingRules) as readonly FindingRule[];
  const hidden = findings.length - maxResults;
  const left = { level: 'warning', message: { text: `${hidden} more results are left out.` } };
  const log: JsonObject = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            ...{ name: 'platform-sync', ...defined({ version: engine }) },
            rules: rules.map(ruleObject),
          },
        },
        ...(project === undefined || stack === undefined
          ? {}
          : { automationDetails: { id: `platform-sync/${segment(project)}/${segment(stack)}/` } }),
        columnKind: 'utf16CodeUnits',
        invocations: [
          { executionSuccessful: values.verdict !== 'failed', toolExecutionNotifications: hidden > 0 ? [left] : [] },
        ],
        // A list without results does not say whether all is well; this does.
        properties: { verdict: values.verdict, summary: values['summary'] ?? '' },
        results: findings.slice(0, maxResults).map((found) => result(found, rules.indexOf(found.rule), at)),
      },
    ],
  };
  return jsonText(log);
}

function ruleObject(id: FindingRule): Json {
  const { level, title, description } = findingRules[id];
  return {
    id,
    name: title,
    shortDescription: { text: title },
    fullDescription: { text: description },
    defaultConfiguration: { level },
  };
}

function result(found: Finding, ruleIndex: number, at: ReviewPlace): Json {
  const { file, line, column } = found.place ?? { file: projectFile, line: 1, column: 1 };
  return {
    ruleId: found.rule,
    ruleIndex,
    level: found.level,
    message: { text: messageText(found.message) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriPath(inRepository(file, at)) },
          region: { startLine: line, startColumn: column },
        },
        ...(found.address === undefined
          ? {}
          : { logicalLocations: [{ fullyQualifiedName: found.address, kind: 'resource' }] }),
      },
    ],
    partialFingerprints: { 'finding/v1': found.fingerprint },
  };
}

/** In a message, brackets make a link and braces a placeholder (§ 3.11.5 and § 3.11.6 of the standard). */
function messageText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('[', '\\[')
    .replaceAll(']', '\\]')
    .replaceAll('{', '{{')
    .replaceAll('}', '}}');
}

/** A relative path as a URI reference: neither a scheme nor a host can come out of a file name. */
function uriPath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(segment)
    .join('/');
}

function segment(text: string): string {
  // Half of a character has no bytes.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
