import { markdownSkeleton } from './markdown/skeleton.js';

/** A control or invisible character, or half of one, that a reader could not see. Line feeds and tabs make the layout. */
const invisible =
  /[^\P{Cc}\n\t]|[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/u;

/** References, mentions, links, images, raw HTML, emphasis, tables, footnotes, formulas: all need one of these. */
const markup = /[<>[\]@$~\\]|https?:|www\.|:\/\/|#\d|__|^\s*(?:---|===|\*\*\*|>|\+ )/gm;

const ownTags =
  /<\/?(?:a|b|body|br|button|code|dd|del|details|div|dl|dt|fieldset|figcaption|figure|footer|form|g|h1|h2|head|header|html|input|ins|label|legend|li|link|main|meta|option|output|p|path|pre|rect|script|section|select|span|style|summary|svg|symbol|use|table|tbody|td|text|th|thead|time|title|tr|ul)(?: [a-zA-Z-]+(?:="[^"<>]*")?)*\/?>|<!doctype html>/g;

/** What a reader can't see in a text; undefined when it is all there. */
export function hiddenIn(text: string): string | undefined {
  return invisible.exec(text)?.[0];
}

/** Lines that a CI system would take as an order when it reads them in a log. */
export function ordersIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trimStart().startsWith('::') || /##[a-z]*\[/i.test(line));
}

/** Headings that are none of ours, and markup outside of code. Table rows of our own stay. */
export function foreignMarkdownIn(markdown: string, headings: readonly RegExp[]): readonly string[] {
  const rest = markdownSkeleton(markdown);
  const foreign = rest
    .split('\n')
    .filter((line) => /^\s*#/.test(line) && !headings.some((pattern) => pattern.test(line)));
  return [...foreign, ...(rest.replace(/^#+ /gm, '').match(markup) ?? [])];
}

/** What is left of a page that could begin or end a tag when our own tags are gone; its style and script are ours. */
export function foreignHtmlIn(html: string): readonly string[] {
  const body = html.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
  return [...(body.replace(ownTags, '').match(/[<>]/g) ?? []), ...(body.match(/<script|<style/g) ?? [])];
}
