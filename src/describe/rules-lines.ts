import { isObject } from '@platform-sync/core/model/value';

/** The reason that people put into the lines. */
const why = 'give the reason';

/** Rows of a correction that settle something, without their reasons. */
export interface SettlingRows {
  readonly fields?: Readonly<Record<string, object>>;
  readonly [row: string]: unknown;
}

/** The lines of a rules file that settle something about a type, as they are copied. */
export function correctionLines(type: string, { fields = {}, ...rows }: SettlingRows): string {
  const inside = Object.entries(fields).map(([name, each]) => [name, { why, ...each }] as const);
  const all = { why, ...rows, ...(inside.length === 0 ? {} : { fields: Object.fromEntries(inside) }) };
  return `corrections:\n  ${keyText(type)}: ${flow(all)}`;
}

/** A line at the top of a rules file. */
export function ruleLine(name: string, value: object): string {
  return `${name}: ${flow(value)}`;
}

/** YAML on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, each]) => `${keyText(name)}: ${flow(each)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value);
}

function keyText(name: string): string {
  return isPlain(name) || /^\/[\w/.-]*$/.test(name) ? name : JSON.stringify(name);
}

function isPlain(text: string): boolean {
  return (
    /^[A-Za-z][\w./ -]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) && !text.endsWith(' ')
  );
}
