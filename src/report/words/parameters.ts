import type { Plan } from '@platform-sync/core/model/plan';
import { visible } from './escape.js';
import { inline } from './value.js';

// A specification as a value would push the plan off the page; the JSON form has all of it.
const longest = 60;

/** `Parameters: region = "eu", token = (secret !env TOKEN)`. Undefined without any. */
export function parametersLine({ parameters }: Plan): string | undefined {
  const parts = Object.entries(parameters ?? {}).map(([name, value]) => `${visible(name)} = ${short(inline(value))}`);
  return parts.length === 0 ? undefined : `Parameters: ${parts.join(', ')}`;
}

function short(text: string): string {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join('')}…`;
}
