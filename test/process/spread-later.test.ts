import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { spreadLater } from '../../scripts/spread-later.mjs';

describe('literals of the built program', () => {
  it('that go on after a spread do not begin with it', () => {
    expect(spreadLater('f({...a,b:1},{...a,...b})', 'a.js')).toBe('f({...null,...a,b:1},{...null,...a,...b})');
    expect(spreadLater('x={ ...{...a,b}, c }', 'a.js')).toBe('x={ ...null,...{...null,...a,b}, c }');
  });

  it.each([
    'x = { ...a }',
    'x = { b, ...a }',
    'f(...a, b)',
    '[...a, b]',
    'const { ...a } = b',
    '"{...a,b}"',
    '`{...a,b}`',
    '/{...a,b}/',
    '// {...a,b}',
  ])('are left as they are where that says nothing: %s', (text) => {
    expect(spreadLater(text, 'a.js')).toBe(text);
  });

  it('make what they made before, own keys that are special included', () => {
    const made = '({...JSON.parse(\'{"__proto__":1,"b":2}\'),get c(){return 3},...{b:4}})';
    const read = (text: string): unknown =>
      execFileSync(process.execPath, ['-p', `JSON.stringify(Object.entries(${text}))`], { encoding: 'utf8' });
    expect(read(spreadLater(made, 'a.js'))).toBe(read(made));
  });

  it('give all their objects one hidden class', () => {
    const text = spreadLater('of=(a)=>({...a,c:1})', 'a.js');
    const asked = `${text};const [a,b]=[of({b:1}),of({b:2})];console.log(%HaveSameMap(a,b))`;
    expect(execFileSync(process.execPath, ['--allow-natives-syntax', '-e', asked], { encoding: 'utf8' })).toBe(
      'true\n',
    );
  });
});
