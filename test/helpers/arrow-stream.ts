import { Message } from 'apache-arrow/fb/message';
import { MessageHeader } from 'apache-arrow/fb/message-header';
import { Footer, FileBlock } from 'apache-arrow/ipc/metadata/file';
import { Message as Decoded } from 'apache-arrow/ipc/metadata/message';
import { ByteBuffer } from 'flatbuffers';

const MAGIC = Buffer.from('ARROW1');
/** Continuation marker, followed by the length of the message metadata. */
const PREFIX_BYTES = 8;

/**
 * Converts an Arrow stream to an Arrow file. LanceDB sends compressed batches, which Arrow for JavaScript cannot read, so the messages are copied
 * and only the framing of a file is added.
 */
export function fileOfStream(stream: Uint8Array): Buffer {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  const blocks: FileBlock[] = [];
  let schema: Footer['schema'] | undefined;
  let at = 0;
  while (at + PREFIX_BYTES <= stream.length) {
    const length = view.getInt32(at + 4, true);
    if (length === 0) break;
    const described = stream.subarray(at + PREFIX_BYTES, at + PREFIX_BYTES + length);
    const message = Message.getRootAsMessage(new ByteBuffer(described));
    const bodyLength = Number(message.bodyLength());
    if (message.headerType() === MessageHeader.Schema) schema = Decoded.decode(described).header() as Footer['schema'];
    else blocks.push(new FileBlock(PREFIX_BYTES + length, bodyLength, PREFIX_BYTES + at));
    at += PREFIX_BYTES + length + bodyLength;
  }
  if (schema === undefined) throw new Error('the stream names no schema');
  const footer = Footer.encode(new Footer(schema, undefined, blocks, []));
  const size = Buffer.alloc(4);
  size.writeInt32LE(footer.length);
  const end = Buffer.alloc(PREFIX_BYTES);
  end.writeUInt32LE(0xffffffff);
  return Buffer.concat([MAGIC, Buffer.alloc(2), stream.subarray(0, at), end, footer, size, MAGIC]);
}
