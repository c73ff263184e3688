import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { driftResult, finding } from '../drift-builder.js';
import { hostileNames } from '../hostile-plan.js';
import { driftHtml } from '../forms.js';

const unread: DriftResult['notCompared'][number] = {
  ...{ id: 'aaaaaaaaaa', address: 'cats', type: 'platform:index/api:Api', trend: 'new' },
  firstSeen: '2030-05-02T03:00:00.000Z',
  diagnostic: { severity: 'error', code: 'platform-error', summary: 'The platform answered 503.', detail: 'Busy.' },
};

/** What a reader sees, without tags. */
function seen(html: string): string {
  return html
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ');
}

describe('the page of a drift check', () => {
  it('says of a finding what is to be known: values, severity, since when, changed when, where, what to do', () => {
    const text = seen(driftHtml(driftResult({ status: 'drift', findings: [finding()] })));
    for (const part of [
      'Drift: 1 finding (1 low) among 12 objects',
      'low petstore.description platform:Api changed outside new',
      'catalogue/pets.yaml:4:7',
      'first seen 2030-05-01 03:00 UTC',
      'object last changed 2030-04-30 12:00 UTC',
      '"All about pets" → "Clicked"',
      'Put it back with revert.',
      'sync drift revert 1a2b3c4d5e',
      'sync drift ignore 1a2b3c4d5e',
    ])
      expect(text).toContain(part);
  });

  it.each<readonly [string, Partial<DriftResult>, readonly string[]]>([
    ['clean', {}, ['No drift among 12 objects']],
    ['incomplete', { status: 'incomplete', notCompared: [unread] }, ['Not compared', 'cats', '503', 'Busy.']],
    [
      'failed',
      { status: 'failed', targets: {}, diagnostics: [{ severity: 'error', code: 'x', summary: 'NAME is not set.' }] },
      ['The check could not be made', 'Problems 1 x NAME is not set.'],
    ],
  ])('of one that is %s has its verdict and reasons, and no list', (_name, given, parts) => {
    const html = driftHtml(driftResult(given));
    for (const part of parts) expect(seen(html)).toContain(part);
    expect(html).not.toContain('id="ui:list"');
  });

  it('tells what is no drift apart', () => {
    const text = seen(
      driftHtml(
        driftResult({
          resolved: [
            {
              ...{ id: 'b', address: 'dogs', field: 'version', class: 'modified', severity: 'low', by: 'settled' },
              ...{ firstSeen: '2030-04-01T03:00:00.000Z', lastSeen: '2030-05-01T03:00:00.000Z' },
            },
          ],
          ignored: [{ id: 'c', address: 'ants', type: 't', class: 'deleted', reason: 'a reason', until: '2031-01-01' }],
          unapplied: [{ address: 'fish', type: 't', action: 'update', fields: ['slug'], source: 'a.yaml:1:1' }],
          converged: [{ address: 'bees', type: 't', field: 'slug' }],
          unmanaged: [{ type: 'platform:index/api:Api', under: 'p', count: 7 }],
        }),
      ),
    );
    for (const part of [
      'dogs.version : no longer differs (first seen 2030-04-01 03:00 UTC)',
      'ants until 2031-01-01: a reason',
      'update fish of slug in a.yaml:1:1',
      'Changed outside, and now as the catalogue says; the next apply records that 1 bees.slug',
      '7 platform:Api under p',
    ])
      expect(text).toContain(part);
  });

  it('allows its own style and script alone, by their digests', () => {
    const html = driftHtml(driftResult());
    for (const tag of ['style', 'script']) {
      const source = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? '';
      expect(html).toContain(`; ${tag}-src 'sha256-${createHash('sha256').update(source).digest('base64')}'`);
    }
    expect(html).toContain(`content="default-src 'none';`);
  });

  it('is never cut, and gives every finding an id of its own', () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `line ${at}`).join('\n');
    const findings = [finding({ new: lines }), finding(), finding({ id: '"><script>' })];
    const html = driftHtml(driftResult({ status: 'drift', findings }));
    expect(html).toContain('line 2999\n');
    const ids = [...html.matchAll(/<div id="([^"]*)" class="step[^"]*"/g)].map((match) => match[1]);
    expect(ids).toEqual(['1a2b3c4d5e', 'step:1', 'step:2']);
  });

  it('shows no secret', () => {
    const sealed = { $secret: { expression: '!env NAME', fingerprint: 'hmac-sha256:canary' } };
    const html = driftHtml(driftResult({ status: 'drift', findings: [finding({ old: sealed, new: sealed })] }));
    expect(html).not.toContain('canary');
    expect(html).toContain('!env NAME');
  });

  it('makes no tag of a name or value', () => {
    const own =
      /<\/?(?:a|b|body|br|button|code|dd|del|details|div|dl|dt|fieldset|footer|form|h1|h2|head|header|html|input|ins|label|legend|li|link|main|meta|option|output|p|pre|script|section|select|span|style|summary|svg|path|symbol|use|title|ul)(?: [a-zA-Z-]+(?:="[^"<>]*")?)*\/?>|<!doctype html>/g;
    const invisible = /[^\P{Cc}\n\t]|[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/u;
    for (const name of hostileNames) {
      const html = driftHtml(
        driftResult({
          ...{ status: 'incomplete', project: name, stack: name, engine: name, targets: { [name]: name } },
          ...{ checkedAt: name, lastSuccess: name },
          findings: [
            finding({
              ...{ id: name, address: name, field: name, type: name, old: name, new: `${name}!`, source: name },
              ...{ todo: name, firstSeen: name, updatedAt: name, objectId: name, with: name },
              expired: { reason: name, until: name },
            }),
          ],
          notCompared: [
            {
              ...unread,
              ...{ address: name, type: name, firstSeen: name },
              diagnostic: { severity: 'error', code: name, summary: name, detail: name, hint: name },
            },
          ],
          ignored: [{ id: name, address: name, type: name, class: 'modified', field: name, reason: name, until: name }],
          unapplied: [{ address: name, type: name, action: name, fields: [name], source: name }],
          converged: [{ address: name, type: name, field: name }],
          unmanaged: [{ type: name, under: name, count: 2 }],
          diagnostics: [{ severity: 'error', code: name, summary: name, hint: name }],
        }),
      );
      const body = html.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
      const where = JSON.stringify(name);
      expect(body.replace(own, '').match(/[<>]/), where).toBeNull();
      expect(body.match(/<script|<style/g), where).toBeNull();
      expect(invisible.exec(body)?.[0], where).toBeUndefined();
    }
  });
});
