import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A report opened from a file, as a reader would, and everything that must not happen to it. */
export interface OpenPage {
  readonly page: Page;
  /** Errors of the script, violations of its policy, dialogs. */
  readonly problems: string[];
  /** What the page asked for beyond its own file. */
  readonly requests: string[];
  /** Another report in its place: a context of its own costs more than what it shows. */
  show(html: string): Promise<void>;
  close(): Promise<void>;
}

export async function openPage(
  browser: Browser,
  html: string,
  options: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<OpenPage> {
  const { hash = '', ...contextOptions } = options;
  const folder = await mkdtemp(join(tmpdir(), 'sync-page-'));
  const file = join(folder, 'plan.html');
  await writeFile(file, html);
  const url = pathToFileURL(file).href;
  const context = await browser.newContext(contextOptions);
  // A bound that only a hang reaches.
  context.setDefaultTimeout(100_000);
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url && !request.url().startsWith('data:')) requests.push(request.url());
  });
  const load = async (): Promise<void> => {
    await page.goto(`${url}${hash}`, { waitUntil: 'load' });
    // Two frames later the browser has painted what the reader sees first.
    if (contextOptions.javaScriptEnabled !== false)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  };
  await load();
  const show = async (text: string): Promise<void> => {
    await writeFile(file, text);
    await load();
  };
  const close = async (): Promise<void> => {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { page, problems, requests, show, close };
}
