import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sectionsOf } from './sections.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Questions of a stranger: the page and heading that answer, and words of the answer. However short docs get, these stay. */
const questions: readonly (readonly [question: string, place: string, words: string])[] = [
  ['How do I try it without an account?', 'docs/getting-started.md#1-a-platform', 'sync sandbox --port 8080'],
  ['Which words must I know first?', 'docs/getting-started.md#the-twelve-words-you-need', '**State**'],
  ['How do I keep dev, stage and prod apart?', 'docs/guides/environments.md#2-the-project', 'overlays/prod.yaml'],
  [
    'How does a change get from dev to prod?',
    'docs/guides/environments.md#4-a-change-promoted',
    'sync apply prod.json',
  ],
  ['Parameter, variable or overlay?', 'docs/guides/which-one-when.md#which-one-when', '**parameter**'],
  ['Which value wins?', 'docs/guides/which-one-when.md#which-value-wins', '`defaults` of an overlay'],
  ['How do I move an object between stacks?', 'docs/state.md#from-one-stack-to-another', '--to-stack'],
  ['How do I use an output of another stack?', 'docs/catalogue.md#outputs-of-another-stack', 'stack:getOutput'],
  ['How do I rename a resource?', 'docs/options/aliases.md#aliases', 'sync state mv OLD NEW'],
  ['What happens if I delete a line of a resource?', 'docs/catalogue.md#a-catalogue-file', "platform's default"],
  ['How do I stop managing an object without deleting it?', 'docs/catalogue.md#letting-go', 'removed:'],
  ['How do I take over what exists?', 'docs/guides/export-and-adopt.md#adopting', 'sync adopt'],
  ['How do I take over many objects by id?', 'docs/guides/export-and-adopt.md#taking-over-by-id', '--from ids.txt'],
  ['How do I protect an object from deletion?', 'docs/options/protect.md#protect', 'exit code 4'],
  ['How do I allow a delete in CI?', 'docs/guides/ci.md#lifting-a-guard', 'until: 2030-01-31'],
  ['How do I pin the version of the program?', 'docs/guides/ci.md#github-actions', 'full commit hash'],
  ['Which exit code means drift?', 'docs/guides/drift.md#exit-codes', 'drift'],
  ['Which exit code means a stale plan?', 'docs/guides/ci.md#exit-codes', 'stale'],
  ['What happens after a kill?', 'docs/guides/crashes.md#what-happens', 'intent'],
  ['What may go wrong all the same?', 'docs/guides/crashes.md#what-is-not-promised', 'settleSeconds'],
  ['Can two applies run at once?', 'docs/state.md#one-writer-at-a-time', '--lock-timeout'],
  ['How do I break a lock?', 'docs/state.md#one-writer-at-a-time', 'sync state unlock'],
  ['What if the state is lost?', 'docs/state.md#when-state-is-lost', 'sync adopt'],
  ['How do I back the state up?', 'docs/state.md#commands', 'sync state pull'],
  ['Does it need a state at all?', 'docs/guides/without-state.md#living-without-kept-state', 'adopt: byKey'],
  ['Who sees secrets?', 'docs/security.md#who-can-do-what', 'what the author can learn'],
  ['Where may a token be sent?', 'docs/security.md#where-a-secret-may-go', 'Redirects are never followed'],
  ['Is it safe to plan a stranger’s pull request?', 'docs/security.md#proposals', '--untrusted'],
  ['Are secrets in the state?', 'docs/state.md#state', 'fingerprint'],
  ['How do I run it behind a proxy?', 'docs/guides/network.md#through-a-proxy', 'HTTPS_PROXY'],
  [
    'How do I use our own certificate authority?',
    'docs/guides/network.md#an-authority-of-your-own',
    'NODE_EXTRA_CA_CERTS',
  ],
  ['How do I keep a manual change?', 'docs/guides/drift.md#four-things-to-do-about-a-finding', 'sync drift accept'],
  ['How do I ignore a drifting field?', 'docs/options/ignoreChanges.md#ignorechanges', 'whoever made them'],
  [
    'How is an object found that nobody manages?',
    'docs/guides/drift.md#objects-that-nobody-manages',
    'unmanaged: visible',
  ],
  ['How do I get an alert?', 'docs/guides/drift.md#the-webhook', 'x-sync-signature-256'],
  ['How do I avoid pasted ids?', 'docs/guides/lookups.md#lookups', '!lookup'],
  ['How do I apply a part only?', 'docs/catalogue.md#choosing-a-part', '--exclude'],
  ['How do I apply without deletes?', 'docs/catalogue.md#choosing-a-part', '--no-delete'],
  ['Which edits of an API break clients?', 'docs/guides/review.md#changes-of-an-api-description', '**breaks clients**'],
  ['How many requests may it send?', 'docs/catalogue.md#syncyaml', 'requestsPerMinute'],
  ['Can it manage our own platform?', 'docs/guides/own-platform.md#2-its-description', 'sync types compile'],
  ['Can I call it from a program?', 'docs/sdk.md#plan-and-apply', 'openProject'],
  ['Can Pulumi use it?', 'docs/guides/pulumi.md#build-and-use', 'pulumi package add'],
  [
    'What was tested against the real service?',
    'docs/compatibility.md#which-service-this-speaks-to',
    'No test of this repository runs against the real service',
  ],
  ['How fast is it, and how is that measured?', 'docs/performance.md#measuring', 'npm run bench'],
  ['How do I turn a folder of OpenAPI files into APIs?', 'docs/catalogue.md#sources', 'specs: platform:Api'],
];

describe('The docs answer', () => {
  it.each(questions)('%s', (_, place, words) => {
    const [page = '', anchor = ''] = place.split('#');
    const section = sectionsOf(readFileSync(join(root, page), 'utf8')).get(anchor);
    expect(section, `${place} is no heading`).toBeDefined();
    expect(section).toContain(words);
  });
});
