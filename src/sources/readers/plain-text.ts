import { MEGABYTE, type Reader } from './reader.ts';
import { decodeText } from './text-decoding.ts';
import { textPassages } from './text-passages.ts';

/** Reads plain text: as many paragraphs per passage as fit. */
export const plainTextReader: Reader = {
  name: 'text',
  maxBytes: 12 * MEGABYTE,
  isolatedFrom: Number.POSITIVE_INFINITY,
  read: ({ bytes, name }, options) => {
    const { text, note } = decodeText(bytes, name);
    return {
      format: 'text',
      documents: [{ passages: textPassages(text, options, { line: 1 }) }],
      found: {},
      leftOut: [],
      notes: note === undefined ? [] : [note],
    };
  },
};
