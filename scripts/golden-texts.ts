/** A text with a few paragraphs. */
export const guideText = `# Guide

The first paragraph.

The second paragraph
runs over two lines.

The last paragraph.
`;

/** Sixty lines, of which every twentieth says the word: three hunks apart from each other. */
export function longGuide(word: string): string {
  const lines = Array.from({ length: 60 }, (_, at) =>
    at % 20 === 10 ? `Line ${at} is ${word}.` : `Line ${at} stays.`,
  );
  return `${lines.join('\n')}\n`;
}

/** An API description to start from. */
export const description = `openapi: 3.0.3
info: {title: Pets, version: "1.0"}
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
      responses:
        "200":
          description: All of them
          content:
            application/json:
              schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}
    post:
      operationId: addPet
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Pet"}
      responses:
        "201": {description: Added}
  /pets/{id}:
    get:
      operationId: getPet
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
      responses:
        "200":
          description: One of them
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Pet"}
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string}
        kind: {type: string, enum: [cat, dog]}
`;

/** The same with more in it. */
export const extendedDescription = description
  .replace('info: {title: Pets, version: "1.0"}', 'info: {title: Pets, version: "1.1"}')
  .replace('        kind:', '        colour: {type: string}\n        kind:')
  .replace('components:', '  /health:\n    get:\n      responses:\n        "200": {description: Fine}\ncomponents:');

/** The same with less in it, and more asked for. */
export const breakingDescription = description
  .replace(
    '{name: limit, in: query, schema: {type: integer}}',
    '{name: limit, in: query, required: true, schema: {type: integer}}',
  )
  .replace(/ {2}\/pets\/\{id\}:[\s\S]*(?=components:)/, '')
  .replace('required: [name]', 'required: [name, kind]')
  .replace('enum: [cat, dog]', 'enum: [cat, dog, bird]');
