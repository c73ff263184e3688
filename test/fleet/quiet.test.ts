import { expect, it } from 'vitest';
import { isQuiet } from '@platform-sync/cli/fleet/messages';

const night = { from: '22:00', until: '06:00' };
const lunch = { from: '11:30', until: '12:30' };
it.each([
  [night, '21:59', false],
  [night, '22:00', true],
  [night, '23:59', true],
  [night, '00:00', true],
  [night, '05:59', true],
  [night, '06:00', false],
  [lunch, '11:29', false],
  [lunch, '11:30', true],
  [lunch, '12:30', false],
  [{ from: '22:00', until: '00:00' }, '23:59', true],
  [{ from: '22:00', until: '00:00' }, '00:00', false],
  [{ from: '09:00', until: '09:00' }, '03:00', true],
  [undefined, '03:00', false],
])('%j at %s UTC: %s, also where clocks change', (quiet, hour, expected) => {
  // Europe sets its clocks at 01:00 UTC of two of these days, America at 10:00 of the others.
  for (const day of ['2026-01-15', '2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01'])
    expect(isQuiet(quiet, Date.parse(`${day}T${hour}:59.999Z`))).toBe(expected);
});
