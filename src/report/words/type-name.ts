import { visible } from './escape.js';

/** `platform:index/apiDocument:ApiDocument` → `platform:ApiDocument`, as catalogues spell it. */
export function typeName(token: string): string {
  return visible(token.replace(/^([^:]+):[^:]*:([^:]+)$/, '$1:$2'));
}
