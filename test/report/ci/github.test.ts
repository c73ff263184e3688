import { describe, expect, it } from 'vitest';
import { field, plan, step } from '../plan-builder.js';
import { githubAnnotations, githubOutputs } from '../forms.js';

const removed = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    step({ address: `old-${at}`, action: 'delete', risks: [{ kind: 'deletes' }] }),
  );

describe('annotations', () => {
  it('stand at the line that caused the change', () => {
    const meta = { ...plan().meta, sources: { pets: 'catalogue/a,b.yaml:3:5' }, fieldSources: {} };
    const steps = [step({ address: 'pets', action: 'update', fields: [field('name', { old: 'a', new: '50%' })] })];
    expect(githubAnnotations(plan({ steps, meta }))).toBe(
      '::notice file=catalogue/a%2Cb.yaml,line=3,col=5,title=Change::pets (platform:Api): update name\n',
    );
  });

  it('name no file by what nobody sees', () => {
    const meta = { ...plan().meta, sources: { pets: 'a\u001b[2K\u202e\u2028\u3164.yaml:3:5' }, fieldSources: {} };
    const steps = [step({ address: 'pets', action: 'update', fields: [field('name', { old: 'a', new: 'b' })] })];
    expect(githubAnnotations(plan({ steps, meta }))).toContain('file=a\\u001b[2K\\u202e\\u2028\\u3164.yaml,line=3');
  });

  it('ten of a level are all shown; of more, nine and their number', () => {
    expect(githubAnnotations(plan({ steps: removed(10) })).match(/^::warning /gm)).toHaveLength(10);
    const many = githubAnnotations(plan({ steps: removed(25) }));
    expect(many.match(/^::warning /gm)).toHaveLength(10);
    expect(many.trimEnd().split('\n').at(-1)).toBe('::warning title=Platform sync::and 16 more, in the HTML report');
  });

  it('a guard says the words that lift it', () => {
    const guards = [{ name: 'delete:pets', summary: 'pets is protected', addresses: ['pets'] }];
    expect(githubAnnotations(plan({ guards }))).toBe(
      '::error title=A guard blocks the plan::delete:pets: pets is protected. To lift it: --allow delete:pets --reason "why this is right"\n',
    );
  });

  it('there are none for a plan that changes nothing', () => {
    expect(githubAnnotations(plan())).toBe('');
  });
});

describe('outputs', () => {
  it('tell the verdict and the counts', () => {
    const text = githubOutputs(plan({ steps: removed(2) }));
    const values = Object.fromEntries(
      [...text.matchAll(/^(.+)<<(.+)\n([\s\S]*?)\n\2$/gm)].map((match) => [match[1], match[3]]),
    );
    expect(values).toMatchObject({
      verdict: 'dangerous',
      'has-changes': 'true',
      blocked: 'false',
      dangers: '2',
      delete: '2',
      create: '0',
      'not-compared': '0',
      stack: 'default',
    });
  });
});
