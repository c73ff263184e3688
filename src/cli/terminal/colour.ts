import { ansiStyle, plainStyle, type Style } from '@platform-sync/report/text/style';

/** Colour or not: `--no-color` and NO_COLOR say no, FORCE_COLOR says yes, else a terminal does. */
export function chooseStyle(
  terminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
  noColorFlag: boolean,
): Style {
  if (noColorFlag || isSet(env['NO_COLOR'])) return plainStyle;
  const forced = env['FORCE_COLOR'];
  if (isSet(forced)) return forced === '0' || forced === 'false' ? plainStyle : ansiStyle;
  return terminal && env['TERM'] !== 'dumb' ? ansiStyle : plainStyle;
}

// no-color.org: an empty value counts as absent.
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
