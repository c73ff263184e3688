import { describe, expect, test } from 'vitest';
import { decodedText, defaultTitle, frontMatter } from '@platform-sync/sandbox/markdown';

describe('title of a document that names none', () => {
  test.each([
    ['# Guide\n\ntext', 'Guide'],
    ['text first\n\n## Second level ##\n', 'Second level'],
    ['---\ntitle: "From the front"\n---\n# Heading\n', 'From the front'],
    ['---\nslug: x\n---\n# Heading\n', 'Heading'],
    ['no heading', 'Untitled'],
    ['', 'Untitled'],
  ])('%j', (content, title) => {
    expect(defaultTitle(content)).toBe(title);
  });
});

test('front matter says what the request leaves open, and nothing else', () => {
  const content = "---\r\ntitle: 'A b'\r\nslug: a-b\r\nstatus: published\r\nauthor: me\r\n---\r\ntext";
  expect(frontMatter(content)).toEqual({ title: 'A b', slug: 'a-b', status: 'published' });
  expect(frontMatter('---\nstatus: maybe\n---\n')).toEqual({});
  expect(frontMatter('text\n---\ntitle: x\n---\n')).toEqual({});
});

describe('base64 content', () => {
  test.each([
    ['IyBIZWxsbyB3b3JsZAo=', '# Hello world\n'],
    ['4pyTIGRvbmU=', '✓ done'],
    ['# Hello', '# Hello'],
    ['test', 'test'],
    ['', ''],
    ['IyBIZWxsbyB3b3JsZAo', 'IyBIZWxsbyB3b3JsZAo'],
  ])('%j', (content, text) => {
    expect(decodedText(content)).toBe(text);
  });
});
