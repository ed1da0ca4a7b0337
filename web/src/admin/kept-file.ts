/** Hands what a stream brings to the person as a file, once it is there. Resolves with its bytes; `onBytes` is told on the way. */
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
  // As a blob, which a browser may keep on the disk, where parts of our own would fill the memory.
  const blob = await new Response(body.pipeThrough(counting)).blob();
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // A browser may first ask the person where to put it, and reads it only then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return bytes;
}
