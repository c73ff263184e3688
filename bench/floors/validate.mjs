// The least that `validate` can be: every file is read and parsed.
import { readCatalogue } from './catalogue.mjs';

console.log(`${Object.keys(readCatalogue()).length} resources with children`);
