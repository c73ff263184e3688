import { readFileSync, readdirSync } from 'node:fs';
import { EVENT_ID, SCALAR_STYLE, getScalarValue, parseEvents } from 'js-yaml';

/**
 * The resources of all files of `catalogue/` as plain values, children in them: read and parsed, and nothing else. By the
 * events that the program reads, too; `load` of the same package takes longer.
 */
export function readCatalogue() {
  const resources = {};
  for (const file of readdirSync('catalogue'))
    Object.assign(resources, valuesOf(readFileSync(`catalogue/${file}`, 'utf8')).resources);
  return resources;
}

/** Of one document with the forms that a bench's catalogue has: no tags, anchors, and empty values. */
function valuesOf(text) {
  const events = parseEvents(text, {});
  // The first is the document.
  let at = 1;
  const next = () => {
    const event = events[at++];
    if (event.type === EVENT_ID.SCALAR) {
      const value = getScalarValue(text, event);
      return event.style === SCALAR_STYLE.PLAIN && /^[-+.\d]/.test(value) ? Number(value) : value;
    }
    const isMap = event.type === EVENT_ID.MAPPING;
    const found = isMap ? {} : [];
    while (events[at].type !== EVENT_ID.POP)
      if (isMap) found[next()] = next();
      else found.push(next());
    at++;
    return found;
  };
  return next();
}
