import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@platform-sync/core/model/value';

const file = fileURLToPath(new URL('../fixtures/hostile/names.json', import.meta.url));

/** Texts that try to be something else wherever they are shown. */
export const hostileNames = JSON.parse(readFileSync(file, 'utf8')) as readonly string[];

/** A catalogue whose descriptions and documents hold all of them, before and after a change. */
export function hostileSteps(when: 'before' | 'after'): Readonly<Record<string, JsonObject>> {
  // A platform takes no control characters; those are tested with plans made by hand.
  const harmlessForTransport = hostileNames.filter((name) => !/[\p{Cc}\p{Cs}]/u.test(name));
  // Kept, removed and added lines by turns: each kind of line carries some.
  const lines = harmlessForTransport.filter((_, at) => at % 3 !== (when === 'before' ? 1 : 2));
  return {
    notes: {
      type: 'platform:Api',
      properties: { name: 'Notes', description: when === 'before' ? 'quiet' : literal(harmlessForTransport[3] ?? '') },
      children: {
        all: { type: 'platform:ApiDocument', properties: { title: 'All', content: literal(`${lines.join('\n')}\n`) } },
      },
    },
  };
}

/** As a catalogue writes a text that only looks like a reference. */
function literal(text: string): string {
  return text.split('${').join('$${');
}
