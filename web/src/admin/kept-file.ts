/** Saves a stream as a file download when it is complete. Resolves with the number of bytes; calls `onBytes` on the way. */
export async function keepStream(
  name: string,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: (bytes: number) => void,
): Promise<number> {
  let bytes = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  // A blob, which the browser may store on disk; buffers of our own would fill the memory.
  const blob = await new Response(body.pipeThrough(counting)).blob();
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser may first ask where to save the file, and reads the blob only then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return bytes;
}
