// Makes a picture of the page small: 256 colours, which is what it has but for the edges of its letters.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS = { 2: 3, 6: 4 };
const MOST_COLOURS = 256;
const EXACT_COLOURS = 144;
/** Colours that differ by less than 1 << this in each channel are of one kind. */
const KIND_BITS = 4;

function* chunksOf(png) {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

/** The pixels of an 8-bit picture in true colour, without the filters that each line was written with. */
function pixelsOf(png) {
  const chunks = [...chunksOf(png)];
  const header = chunks[0].data;
  const [width, height, channels] = [header.readUInt32BE(0), header.readUInt32BE(4), CHANNELS[header[9]]];
  if (header[8] !== 8 || channels === undefined) throw new Error('Only 8-bit pictures in true colour are made small.');
  const raw = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const [filter, from, to] = [raw[y * (stride + 1)], y * (stride + 1) + 1, y * stride];
    for (let x = 0; x < stride; x++) {
      const a = x < channels ? 0 : pixels[to + x - channels];
      const b = y === 0 ? 0 : pixels[to + x - stride];
      const c = x < channels || y === 0 ? 0 : pixels[to + x - stride - channels];
      pixels[to + x] = raw[from + x] + [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
    }
  }
  return { width, height, channels, pixels };
}

/** How often each colour is there, by its number. */
function countColours({ pixels, channels }) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return counts;
}

const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/**
 * The colours used most, as they are: grounds, letters, and the steps of a shadow. Then one of each kind that is not among them yet, such as
 * that of a small sign, and where that leaves room the next by how often they are there.
 */
function paletteOf(counts) {
  const ranked = [...counts].toSorted((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const chosen = new Set(ranked.slice(0, EXACT_COLOURS));
  const kinds = new Set([...chosen].map(kindOf));
  for (const colour of ranked) {
    if (chosen.size >= MOST_COLOURS) break;
    if (!kinds.has(kindOf(colour))) chosen.add(colour);
    kinds.add(kindOf(colour));
  }
  for (const colour of ranked) if (chosen.size < MOST_COLOURS) chosen.add(colour);
  return [...chosen];
}

const kindOf = (colour) =>
  parts(colour)
    .map((part) => part >> KIND_BITS)
    .join(' ');

function nearest(colour, palette) {
  const [r, g, b] = parts(colour);
  let [best, least] = [0, Infinity];
  for (const [at, other] of palette.entries()) {
    const [r2, g2, b2] = parts(other);
    const away = (r - r2) ** 2 + (g - g2) ** 2 + (b - b2) ** 2;
    if (away < least) [best, least] = [at, away];
  }
  return best;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The same picture in at most 256 colours. */
export function smallPng(png) {
  const picture = pixelsOf(png);
  const { width, height, channels, pixels } = picture;
  const counts = countColours(picture);
  const palette = paletteOf(counts);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * channels;
    const colour = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    lines[pixel + Math.floor(pixel / width) + 1] = places.get(colour);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const body = [chunk('IHDR', header), chunk('PLTE', Buffer.from(palette.flatMap(parts)))];
  return Buffer.concat([SIGNATURE, ...body, chunk('IDAT', deflateSync(lines, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
