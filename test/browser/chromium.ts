import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { leftOut } from '../harness/left-out.js';

/** Where the browser is; undefined when there is none. */
export const chromiumPath = [process.env['SYNC_CHROMIUM'], '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
);

/** For the line of a suite that can't run. */
export const browserReason =
  chromiumPath === undefined
    ? leftOut(
        'test/browser',
        'no Chromium at /usr/bin/chromium. Install one, or name one: SYNC_CHROMIUM=/path/of/chromium npm test',
      )
    : '';

// Firefox is left out: Playwright drives a build of its own alone, and no package of the npm registry has that.
// A browser that asks nobody anything; containers often have no sandbox to offer.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser with a profile of its own, which goes when it closes. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('no Chromium');
  return chromium.launch({ executablePath: chromiumPath, args, headless: true });
}
