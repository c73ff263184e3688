import { defined } from '@platform-sync/core/model/value';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import {
  type CheckSummary,
  type DriftChange,
  type DriftNews,
  type DriftResult,
  summaryOf,
} from '@platform-sync/core/model/drift';
import type { RunNews } from '@platform-sync/core/model/run-news';
import { codeOwners, codeOwnersFiles } from '@platform-sync/review/notify/code-owners';
import { type DriftWebhook, tellDrift } from '@platform-sync/review/notify/tell-drift';
import { tellRun } from '@platform-sync/review/notify/tell-run';
import { filePlace, inRepository } from '@platform-sync/report/view/review-place';
import { reviewEnvironment } from '@platform-sync/review/environment';
import { packageFacts } from '../process/package-facts.js';
import { repositoryFolder, repositoryRoot } from './repository.js';
import type { RunContext } from './run-context.js';
import { isLedAway } from '@platform-sync/engine/trust/paths';

/** Ends with what kept the news from arriving. */
type Delivery = Promise<Diagnostic | undefined>;

interface NewsSender {
  readonly news: (news: DriftNews) => Delivery;
  /** For a check without a project, which knows nothing of what was told before. */
  readonly failure: (result: DriftResult) => Delivery;
  readonly run: (news: RunNews) => Delivery;
}

/** Posts to a webhook what a reader of its messages needs: the run, and who answers for the file. */
export function sender(context: RunContext, hook: Pick<DriftWebhook, 'url' | 'format' | 'secret'>): NewsSender {
  const { env } = context.host;
  const link = reviewEnvironment(env, { platform: undefined, number: undefined })?.links.run;
  const ownersOfFile = ownersHere(context);
  const ownersOf = (source: string): readonly string[] => {
    const place = filePlace(source);
    return place === undefined ? [] : ownersOfFile(place.file);
  };
  const webhook: DriftWebhook = {
    ...hook,
    ...defined({ link }),
    ownersOf,
    userAgent: `platform-sync/${packageFacts().version} `,
  };
  const news = (changes: DriftNews): Delivery => tellDrift(changes, webhook);
  return {
    news,
    failure: (result) => news(failureNews(summaryOf(result), result.diagnostics)),
    run: (ended) => tellRun(ended, webhook),
  };
}

/** Of files of the project, by the repository's CODEOWNERS; nobody where there is none. */
export function ownersHere(context: RunContext): (file: string) => readonly string[] {
  const root = repositoryRoot(context);
  const path = root === undefined ? undefined : codeOwnersFiles.map((name) => join(root, name)).find(isOwnFile);
  if (path === undefined) return () => [];
  const owners = codeOwners(readFileSync(path, 'utf8'));
  const folder = repositoryFolder(context);
  return (file) => owners(inRepository(file, { folder }));
}

/** A check that could not even ask what was told before. */
function failureNews(check: CheckSummary, diagnostics: readonly Diagnostic[]): DriftNews {
  const failed: DriftChange = { kind: 'failed', problems: diagnostics.filter(({ severity }) => severity === 'error') };
  return { check, changes: [failed] };
}

/** Whether there is a file, and it lies in the repository: a link that came with the checkout may lead to any of the machine. */
export function isOwnFile(path: string): boolean {
  return existsSync(path) && !isLedAway(path);
}
