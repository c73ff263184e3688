import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from './chromium.js';
import { openPage, type OpenPage } from './open-page.js';

export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface InBrowser {
  readonly open: (html: string, options?: Parameters<typeof openPage>[2]) => Promise<Page>;
}

/** One browser for the tests around, and a way to open a report in it; each test must leave no error and no request. */
export function inBrowser(): InBrowser {
  let browser: Browser;
  let opened: OpenPage | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const seen = { problems: opened?.problems, requests: opened?.requests };
    await opened?.close();
    opened = undefined;
    // Whatever a test is about: no error, no violation of the policy, no request.
    expect(seen).toEqual({ problems: [], requests: [] });
  });
  return {
    open: async (html, options) => {
      opened = await openPage(browser, html, options);
      return opened.page;
    },
  };
}

export const soon = <T>(value: () => T | Promise<T>) => expect.poll(value, { timeout: 60_000 });

/** Ids of the entries that the filters leave. */
export function shown(page: Page): Promise<unknown> {
  return page.evaluate("[...document.querySelectorAll('.step:not([hidden])')].map((item) => item.id)");
}
