/** The most that is read of an answer, unpacked; what is worth reading is far smaller. An answer may have no end, or unpack to one. */
const mostBytes = 32 * 1024 * 1024;

/** `fetch`, whose answers fail where they are larger than anybody should be sent. */
export async function boundedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (response.body === null) return response;
  let read = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      read += chunk.byteLength;
      if (read > mostBytes) controller.error(new Error(`the answer is larger than ${mostBytes / 1024 / 1024} MB`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers, url } = response;
  const bounded = new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  return Object.defineProperty(bounded, 'url', { value: url });
}

/** So many characters, and nothing is read after them. */
export async function beginningOf({ body }: Response, characters: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= characters) break;
  }
  return text.slice(0, characters);
}
