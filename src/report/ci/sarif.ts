import { defined } from '@platform-sync/core/model/defined';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { dangersOf } from '../view/danger.js';
import { PlanViews } from '../view/plan-views.js';
import { findingRules, type FindingRule } from '../view/finding-rules.js';
import { reviewFindings, type ReviewFinding } from '../view/review-finding.js';
import { inRepository, type ReviewPlace } from '../view/review-place.js';
import { summaryLine } from '../words/summary.js';
import { verdictOf } from '../view/verdict.js';
import { jsonText } from '../words/json-text.js';

// Consumers refuse longer runs; the worst come first.
const maxResults = 5000;
// What has no line of its own is shown at the project file.
const projectFile = 'sync.yaml';

/** The plan as SARIF 2.1.0: one result for each thing a reviewer should see, at the line that caused it. */
export function planSarif(plan: Plan, views: PlanViews = new PlanViews(), at: ReviewPlace = {}): string {
  return sarifLog(reviewFindings(plan, views), {
    ...{ engine: plan.engine, project: plan.project, stack: plan.stack, isPlanned: true, at },
    properties: { verdict: verdictOf(plan, dangersOf(plan, views)), summary: summaryLine(plan) },
  });
}

interface SarifFacts {
  readonly engine?: string;
  /** Absent where the project could not even be opened. */
  readonly project?: string;
  readonly stack?: string;
  /** False: errors kept the plan from being made. */
  readonly isPlanned: boolean;
  readonly at?: ReviewPlace;
  /** A list without results does not say whether all is well; this does. */
  readonly properties: { readonly verdict: string; readonly summary: string };
}

/** A SARIF log of one run with these findings. */
export function sarifLog(findings: readonly ReviewFinding[], facts: SarifFacts): string {
  const { engine, project, stack, isPlanned, properties, at = {} } = facts;
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
        invocations: [{ executionSuccessful: isPlanned, toolExecutionNotifications: hidden > 0 ? [left] : [] }],
        properties,
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

function result(found: ReviewFinding, ruleIndex: number, at: ReviewPlace): Json {
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
